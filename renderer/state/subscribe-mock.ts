/** Subscribes the mock app to a topic. */
import { addressPart } from '../../core/contract/address-part.ts';
import type { Console } from './console.ts';

export interface MockTopic {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
}

/** Adds a subscription to those that a mock app serves, unless it has one. Ends when the console knows of it. */
export async function subscribeMock(
  { call, mockApps, topology }: Pick<Console, 'call' | 'mockApps' | 'topology'>,
  { appId, pubsubname, topic }: MockTopic,
): Promise<void> {
  const { subscriptions } = await call('mockApp.get', { appId });
  if (subscriptions.some((each) => each.pubsubname === pubsubname && each.topic === topic)) return;
  const added = { pubsubname, topic, routes: { default: `/${addressPart(topic)}` } };
  await call('mockApp.setSubscriptions', { appId, subscriptions: [...subscriptions, added] });
  await Promise.all([mockApps.app.refresh(), topology.subscriptions.refresh()]);
}
