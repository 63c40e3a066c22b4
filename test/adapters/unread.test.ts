/** What was published and may not have been handed over: kept until it is seen or caught up with, and asked for after a loss. */
import { expect, test } from 'vitest';
import { Unread } from '../../core/adapters/unread.ts';

const nothingThere = async (places: readonly string[]): Promise<readonly boolean[]> =>
  places.map(() => false);

function of(...places: string[]): Unread {
  const unread = new Unread();
  for (const place of places) unread.published(place, `msg_${place}`);
  return unread;
}

test('what the server lost, in order; each is told once', async () => {
  const unread = of('1', '2', '3');
  unread.seen('2');
  expect(await unread.lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
  expect(await unread.lost(nothingThere)).toEqual([]);
});

test('what is still at the server stays', async () => {
  const unread = of('1', '2', '3');
  const has2 = async (places: readonly string[]): Promise<readonly boolean[]> =>
    places.map((one) => one === '2');
  expect(await unread.lost(has2)).toEqual(['msg_1', 'msg_3']);
  expect(unread.size).toBe(1);
});

test('a read that found no more ends what was published before it was sent, not what came while it ran', async () => {
  const unread = of('1', '2');
  const mark = unread.mark();
  unread.published('3', 'msg_3');
  unread.caughtUp(mark);
  expect(await unread.lost(nothingThere)).toEqual(['msg_3']);
});

test('a server that cannot be asked takes nothing out', async () => {
  const unread = of('1');
  await expect(unread.lost(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(unread.size).toBe(1);
});

test('what was seen while the server was asked is not lost', async () => {
  const unread = of('1', '2');
  const seenMeanwhile = (places: readonly string[]): Promise<readonly boolean[]> => {
    unread.seen('1');
    return nothingThere(places);
  };
  expect(await unread.lost(seenMeanwhile)).toEqual(['msg_2']);
});

test('memory is bounded: the oldest go', () => {
  const unread = new Unread();
  for (let n = 0; n < 100_010; n += 1) unread.published(String(n), 'msg');
  expect(unread.size).toBe(100_000);
});

test('a server that goes away between two questions takes nothing out either', async () => {
  const places = Array.from({ length: 1_200 }, (_, n) => String(n));
  const unread = of(...places);
  let asked = 0;
  const goesAway = async (some: readonly string[]): Promise<readonly boolean[]> => {
    asked += 1;
    if (asked === 2) throw new Error('away');
    return nothingThere(some);
  };
  await expect(unread.lost(goesAway)).rejects.toThrow('away');
  expect(await unread.lost(nothingThere)).toEqual(places.map((place) => `msg_${place}`));
});

test('a key that the server gives to a second message: it has lost the first one', async () => {
  const unread = of('1', '2');
  unread.published('1', 'msg_again');
  expect(unread.hasReplaced).toBe(true);
  expect(unread.oldest).toBe('2');
  unread.seen('1');
  const allThere = async (places: readonly string[]): Promise<readonly boolean[]> => places.map(() => true);
  expect(await unread.lost(allThere)).toEqual(['msg_1']);
  expect(await unread.lost(nothingThere)).toEqual(['msg_2']);
  expect(unread.size).toBe(0);
});

test('a message whose key went to another one is told in the order of the publishes', async () => {
  const unread = of('1', '2');
  unread.published('1', 'msg_again');
  expect(await unread.lost(nothingThere)).toEqual(['msg_1', 'msg_2', 'msg_again']);
});
