/** Prepares the mock app of an instance for a scenario: its subscriptions and its answers. */
import { addressPart } from '../contract/address-part.ts';
import type { GivenRule } from '../contract/mock-app.ts';
import type { Scenario } from '../contract/scenario.ts';
import type { WireSubscription } from '../contract/subscription.ts';
import { PUBSUB } from './acts.ts';
import type { Rpc } from './rpc.ts';

/** Sets subscriptions and rules. Throws RpcRefused if the instance refuses one. */
export async function prepareMock(rpc: Rpc, scenario: Scenario): Promise<void> {
  const { subscriptions, mock } = scenario;
  if (subscriptions === undefined) await subscribeTo(rpc, topicsOf(scenario));
  else await rpc.call('mockApp.setSubscriptions', { subscriptions });
  if (mock !== undefined) await rpc.call('mockApp.setRules', { rules: mock });
}

/** A topic of a pub/sub component. */
export type Topic = Pick<WireSubscription, 'pubsubname' | 'topic'>;

/**
 * Adds subscriptions of a mock app to these topics, each at the route of its name; existing ones stay.
 * @param wanted id of its app; absent: the first mock app
 */
export async function subscribeTo(rpc: Rpc, topics: readonly Topic[], wanted?: string): Promise<void> {
  const { appId, subscriptions } = await rpc.call(
    'mockApp.get',
    wanted === undefined ? {} : { appId: wanted },
  );
  const { items } = await rpc.call('subscriptions.list', {});
  const taken = new Set([...items.filter((each) => each.appId === appId), ...subscriptions].map(keyOf));
  const missing = topics.filter((topic, at) => {
    const key = keyOf(topic);
    return !taken.has(key) && topics.findIndex((other) => keyOf(other) === key) === at;
  });
  if (missing.length === 0) return;
  const more = missing.map(({ pubsubname, topic }) => ({
    pubsubname,
    topic,
    routes: { default: `/${addressPart(topic)}` },
  }));
  await rpc.call('mockApp.setSubscriptions', { appId, subscriptions: [...subscriptions, ...more] });
}

function keyOf({ pubsubname, topic }: Topic): string {
  return JSON.stringify([pubsubname, topic]);
}

type Published = Partial<Topic> & Pick<Topic, 'topic'>;

/** Topics that a file publishes to, or has a rule for. */
function topicsOf({ steps, mock = [] }: Scenario): readonly Topic[] {
  const published = steps.flatMap((step): readonly Published[] => {
    if ('publish' in step) return [step.publish];
    if ('publishBulk' in step) return [step.publishBulk];
    return 'publishGrpc' in step ? [step.publishGrpc] : [];
  });
  return [
    ...published.map(({ pubsubname = PUBSUB, topic }) => ({ pubsubname, topic })),
    ...topicsOfRules(mock).map((topic) => ({ pubsubname: PUBSUB, topic })),
  ];
}

/** Topics of rules, without patterns. */
export function topicsOfRules(rules: readonly GivenRule[]): readonly string[] {
  return rules.flatMap(({ match: { topic } }) => (topic === undefined || topic.includes('*') ? [] : [topic]));
}
