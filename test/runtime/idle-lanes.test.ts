/** Queues of subscriptions that are over: those with nothing in them are forgotten, however many an app had; the others stay. */
import { afterEach, expect, test, vi } from 'vitest';
import { SubscriptionLane } from '../../core/runtime/delivering/lane.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

afterEach(() => void vi.restoreAllMocks());

/** Topics of the queues that there are: a setting that changes looks at each. */
function queues(stand: Stand): string[] {
  const pump = vi.spyOn(SubscriptionLane.prototype, 'pump');
  stand.set('delivery.concurrency', Math.ceil(stand.settings.current['delivery.concurrency'] / 2));
  const topics = pump.mock.contexts.map((lane) => (lane as SubscriptionLane).key.topic);
  pump.mockRestore();
  return [...new Set(topics)].toSorted();
}

async function says(stand: Stand, ...topics: readonly string[]): Promise<void> {
  subscribe(stand, ...topics.map((topic) => ({ topic, route: '/x' })));
  await stand.runtime.rediscovery.ask();
  await stand.settle();
}

test('queues of old topics are removed once nothing waits in them, while the app subscribes to new topics', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'kept', route: '/x' }));
  stand.app.next.push(500);
  const id = await stand.publish('kept');
  for (let i = 0; i < 20; i += 1) await says(stand, `t${i}`);
  expect(await stand.delivery(id)).toMatchObject({ state: 'retrying' });
  await stand.pass(60_000);
  await says(stand, 'last');
  expect(queues(stand)).toEqual(['kept', 'last']);
  await says(stand, 'kept');
  await stand.pass(0);
  expect(await stand.states(id)).toEqual(['processed']);
  await says(stand);
  expect(queues(stand)).toEqual([]);
});

test('a waiting delivery that a person dropped keeps no queue in memory', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'kept', route: '/x' }));
  stand.app.next.push(500);
  const id = await stand.publish('kept');
  await says(stand);
  await stand.pass(60_000);
  await stand.runtime.deliveryActions.drop({ messageId: id });
  await says(stand, 'other');
  expect(queues(stand)).toEqual(['other']);
});

test('a delivery made while its subscription is removed and added again ends in the right queue', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/x' }));
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const id = await stand.publish('orders');
  await says(stand);
  await says(stand, 'orders');
  await stand.runtime.deliveryActions.release({ messageId: id });
  await stand.settle();
  // The hold lets it go once.
  expect(await stand.states(id)).toEqual(['processed']);
});
