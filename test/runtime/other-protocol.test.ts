/**
 * An app that speaks the other protocol after a restart: what was made before goes to where the app takes it now, with its other settings.
 */
import { expect, test } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { OtherProtocol } from '../../core/runtime/delivering/other-protocol.ts';
import type { App } from '../../core/runtime/state/app.ts';
import { liveDelivery, liveMessage } from '../../core/runtime/state/live-state.ts';
import type { ActiveSubscription } from '../../core/runtime/state/live.ts';
import { messageRow } from '../adapters/journal-records.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const RETRIES = { maxAttempts: 5, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 };
const RULED = { rules: [{ match: 'event.type == "none"', path: '/first' }] };

/** Runs with an app of this protocol that has failed once. */
async function failed(
  protocol: 'http' | 'grpc',
  subscription: object,
): Promise<{ stand: Stand; id: string }> {
  const stand = await started({}, (it) => {
    it.app.protocol = protocol;
    subscriptions(it, subscription);
  });
  stand.set('delivery.retry', RETRIES);
  stand.app.next.push(protocol === 'grpc' ? 14 : 500);
  const id = await stand.publish('orders', { n: 1 });
  expect(await stand.delivery(id)).toMatchObject({ state: 'retrying' });
  return { stand, id };
}

function subscriptions(stand: Stand, subscription: object): void {
  if (stand.app.protocol === 'http') subscribe(stand, { topic: 'orders', ...subscription });
  else stand.app.subscriptions = [{ pubsub_name: 'pubsub', topic: 'orders', ...subscription }];
}

async function becomes(stand: Stand, protocol: 'http' | 'grpc', subscription: object): Promise<void> {
  stand.crash();
  stand.app.protocol = protocol;
  stand.app.answerWith = () => (protocol === 'grpc' ? 0 : 200);
  subscriptions(stand, subscription);
  stand.app.calls.length = 0;
  await stand.start();
  await stand.pass(2000);
}

/** Path in the event that a gRPC app is sent. */
function pathInEvent(stand: Stand): unknown {
  return stand.app.last.json()['path'];
}

test('after a change from HTTP to gRPC the event names the present handler, not the old path', async () => {
  const { stand, id } = await failed('http', { route: '/orders/new', deadLetterTopic: 'dead' });
  await becomes(stand, 'grpc', {});
  expect(stand.app.calls.map(({ path }) => path)).toEqual([APP_METHODS.onTopicEvent]);
  expect(pathInEvent(stand)).toBe('');
  const { state, route, subscription, attempts } = await stand.delivery(id);
  expect([state, route.path, attempts.length]).toEqual(['processed', '', 2]);
  expect(subscription.settings).toEqual({ protocol: 'grpc', deadLetterTopic: 'dead' });
});

test('after a change from gRPC to HTTP a delivery is sent to the present route of the app', async () => {
  const { stand, id } = await failed('grpc', {});
  expect((await stand.delivery(id)).subscription.settings).toEqual({ protocol: 'grpc' });
  await becomes(stand, 'http', { route: '/orders/new' });
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/orders/new']);
  expect((await stand.delivery(id)).subscription.settings).toEqual({});
});

test('after a change of the route over gRPC a delivery keeps its own route', async () => {
  const { stand } = await failed('grpc', { routes: { default: 'then' } });
  await becomes(stand, 'grpc', { routes: { default: 'now' } });
  expect(pathInEvent(stand)).toBe('then');
});

test('a delivery that no present rule matches is sent as it was made', async () => {
  const { stand, id } = await failed('grpc', { routes: { default: 'then' } });
  await becomes(stand, 'http', { routes: RULED });
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['then']);
  expect(await stand.states(id)).toEqual(['processed']);
});

test('batches get another route as a whole, and stay batches', async () => {
  const bulk = { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 50 };
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/x', bulkSubscribe: bulk }),
  );
  stand.set('delivery.retry', RETRIES);
  stand.app.next.push(500);
  const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
  await stand.pass(500);
  await becomes(stand, 'grpc', { metadata: { color: 'red' } });
  expect(stand.app.calls[0]?.path).toBe(APP_METHODS.onBulkTopicEvent);
  const { entries, path } = stand.app.calls[0]?.json() ?? {};
  const ofEntry = { metadata: { color: 'red' } };
  expect({ entries, path }).toMatchObject({ entries: [ofEntry, ofEntry], path: '' });
  // Metadata of an entry are not those of the call.
  expect(stand.app.calls[0]?.headers).not.toHaveProperty('color');
  for (const id of ids) expect((await stand.delivery(id)).route.path).toBe('');
});

test('a parked delivery of a gRPC app without a path can be retried while its subscription is gone, and waits', async () => {
  const { stand, id } = await failed('grpc', {});
  stand.set('delivery.retry', { ...RETRIES, maxAttempts: 2 });
  stand.app.next.push(14);
  await stand.pass(1000);
  expect(await stand.states(id)).toEqual(['parked']);
  stand.app.subscriptions = [];
  await stand.runtime.rediscovery.ask();
  await stand.runtime.deliveryActions.retry({ messageId: id });
  expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: { topic: 'orders' } });
  subscriptions(stand, {});
  stand.app.answerWith = () => 0;
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
});

test('a delivery of an older history keeps what its subscription says now', async () => {
  const reroutes = new OtherProtocol({
    log: { write: () => undefined },
    signals: { emit: () => undefined },
    deliveries: { alone: async (_delivery, act) => act(), changed: async () => undefined },
    intake: { destination: async () => ({ kind: 'path', route: { path: '' } }) },
  });
  const message = liveMessage(messageRow(1), '{}', {}, '', []);
  const subscription = { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' } as const;
  const counted = { pubsubname: 'pubsub', topic: 'orders', lane: 'app' };
  const d = liveDelivery('del_1', message, { appId: 'app', subscription, counted }, 0, undefined);
  const active = { settings: { protocol: 'grpc', deadLetterTopic: 'dead' } } as ActiveSubscription;
  await reroutes.reroute({ channel: { protocol: 'grpc' } } as App, { active }, d);
  expect(d.subscription.settings).toEqual({ protocol: 'grpc', deadLetterTopic: 'dead' });
});
