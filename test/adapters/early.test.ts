// What was published before a group subscribed: asked for only where the server went away since.
import { expect, test } from 'vitest';
import { Early } from '../../core/adapters/early.ts';

const nothingThere = async (places: readonly string[]): Promise<readonly boolean[]> =>
  places.map(() => false);

test('a group that subscribes asks for what was published to its topic before the server went away', async () => {
  const early = new Early();
  early.published('orders', '1', 'msg_1');
  early.published('bills', '2', 'msg_2');
  early.published('orders', '3', 'msg_3');
  expect(early.of('orders').size).toBe(0);
  early.away();
  early.published('orders', '4', 'msg_4');
  expect(await early.of('orders').lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
  // Another group is owed the same.
  expect(await early.of('orders').lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
});

test('of a server that may lose it without going away everything is asked for, and whether it was away is said', () => {
  const early = new Early();
  early.published('orders', '1', 'msg_1');
  early.published('bills', '2', 'msg_2');
  const before = early.all('orders');
  expect([before.unread.size, before.isDoubtful]).toEqual([1, false]);
  early.away();
  early.published('orders', '3', 'msg_3');
  early.published('letters', '4', 'msg_4');
  const after = early.all('orders');
  expect([after.unread.size, after.isDoubtful]).toEqual([2, true]);
  expect(early.all('letters').isDoubtful).toBe(false);
});

test('memory is bounded: the oldest go', async () => {
  const early = new Early();
  for (let n = 0; n < 150_000; n += 1) early.published('orders', String(n), `msg_${n}`);
  early.away();
  for (let n = 150_000; n < 200_000; n += 1) early.published('bills', String(n), `msg_${n}`);
  const lost = await early.of('orders').lost(nothingThere);
  expect([lost.length, lost[0]]).toEqual([50_000, 'msg_100000']);
});
