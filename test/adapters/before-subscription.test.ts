/** Messages published before a group subscribed are asked for only if the connection was lost since. */
import { expect, test } from 'vitest';
import { BeforeSubscription } from '../../core/adapters/before-subscription.ts';

const nothingThere = async (places: readonly string[]): Promise<readonly boolean[]> =>
  places.map(() => false);

test('a group that subscribes asks for what was published to its topic before the server went away', async () => {
  const beforeSubscription = new BeforeSubscription();
  beforeSubscription.published('orders', '1', 'msg_1');
  beforeSubscription.published('bills', '2', 'msg_2');
  beforeSubscription.published('orders', '3', 'msg_3');
  expect(beforeSubscription.doubtful('orders').size).toBe(0);
  beforeSubscription.connectionLost();
  beforeSubscription.published('orders', '4', 'msg_4');
  expect(await beforeSubscription.doubtful('orders').lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
  // Another group is owed the same.
  expect(await beforeSubscription.doubtful('orders').lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
});

test('all() returns every message of a topic, and whether the connection was lost since', () => {
  const beforeSubscription = new BeforeSubscription();
  beforeSubscription.published('orders', '1', 'msg_1');
  beforeSubscription.published('bills', '2', 'msg_2');
  const before = beforeSubscription.all('orders');
  expect([before.notHandedOver.size, before.isDoubtful]).toEqual([1, false]);
  beforeSubscription.connectionLost();
  beforeSubscription.published('orders', '3', 'msg_3');
  beforeSubscription.published('letters', '4', 'msg_4');
  const after = beforeSubscription.all('orders');
  expect([after.notHandedOver.size, after.isDoubtful]).toEqual([2, true]);
  expect(beforeSubscription.all('letters').isDoubtful).toBe(false);
});

test('beyond a bound the oldest notes are removed', async () => {
  const beforeSubscription = new BeforeSubscription();
  for (let n = 0; n < 150_000; n += 1) beforeSubscription.published('orders', String(n), `msg_${n}`);
  beforeSubscription.connectionLost();
  for (let n = 150_000; n < 200_000; n += 1) beforeSubscription.published('bills', String(n), `msg_${n}`);
  const lost = await beforeSubscription.doubtful('orders').lost(nothingThere);
  expect([lost.length, lost[0]]).toEqual([50_000, 'msg_100000']);
});
