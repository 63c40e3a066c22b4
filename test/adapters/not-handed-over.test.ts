/** Published messages that may not have been delivered: noted until seen or caught up with, and asked for after a loss. */
import { expect, test } from 'vitest';
import { NotHandedOver } from '../../core/adapters/not-handed-over.ts';

const nothingThere = async (places: readonly string[]): Promise<readonly boolean[]> =>
  places.map(() => false);

function of(...places: string[]): NotHandedOver {
  const notHandedOver = new NotHandedOver();
  for (const place of places) notHandedOver.published(place, `msg_${place}`);
  return notHandedOver;
}

test('lost messages are reported in order, each once', async () => {
  const notHandedOver = of('1', '2', '3');
  notHandedOver.seen('2');
  expect(await notHandedOver.lost(nothingThere)).toEqual(['msg_1', 'msg_3']);
  expect(await notHandedOver.lost(nothingThere)).toEqual([]);
});

test('messages that the server still has stay noted', async () => {
  const notHandedOver = of('1', '2', '3');
  const has2 = async (places: readonly string[]): Promise<readonly boolean[]> =>
    places.map((one) => one === '2');
  expect(await notHandedOver.lost(has2)).toEqual(['msg_1', 'msg_3']);
  expect(notHandedOver.size).toBe(1);
});

test('a read that found no more accounts for messages published before it, not for those published while it ran', async () => {
  const notHandedOver = of('1', '2');
  const mark = notHandedOver.mark();
  notHandedOver.published('3', 'msg_3');
  notHandedOver.caughtUp(mark);
  expect(await notHandedOver.lost(nothingThere)).toEqual(['msg_3']);
});

test('a failed question to the server keeps all notes', async () => {
  const notHandedOver = of('1');
  await expect(notHandedOver.lost(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(notHandedOver.size).toBe(1);
});

test('a message seen during the question to the server is not reported as lost', async () => {
  const notHandedOver = of('1', '2');
  const seenMeanwhile = (places: readonly string[]): Promise<readonly boolean[]> => {
    notHandedOver.seen('1');
    return nothingThere(places);
  };
  expect(await notHandedOver.lost(seenMeanwhile)).toEqual(['msg_2']);
});

test('beyond a bound the oldest notes are removed', () => {
  const notHandedOver = new NotHandedOver();
  for (let n = 0; n < 100_010; n += 1) notHandedOver.published(String(n), 'msg');
  expect(notHandedOver.size).toBe(100_000);
});

test('a server that fails between two questions keeps all notes', async () => {
  const places = Array.from({ length: 1_200 }, (_, n) => String(n));
  const notHandedOver = of(...places);
  let asked = 0;
  const goesAway = async (some: readonly string[]): Promise<readonly boolean[]> => {
    asked += 1;
    if (asked === 2) throw new Error('away');
    return nothingThere(some);
  };
  await expect(notHandedOver.lost(goesAway)).rejects.toThrow('away');
  expect(await notHandedOver.lost(nothingThere)).toEqual(places.map((place) => `msg_${place}`));
});

test('when the server gives a key to a second message, the first one is reported as lost', async () => {
  const notHandedOver = of('1', '2');
  notHandedOver.published('1', 'msg_again');
  expect(notHandedOver.hasReplaced).toBe(true);
  expect(notHandedOver.oldest).toBe('2');
  notHandedOver.seen('1');
  const allThere = async (places: readonly string[]): Promise<readonly boolean[]> => places.map(() => true);
  expect(await notHandedOver.lost(allThere)).toEqual(['msg_1']);
  expect(await notHandedOver.lost(nothingThere)).toEqual(['msg_2']);
  expect(notHandedOver.size).toBe(0);
});

test('a message whose key was given to another one is reported in order of publishing', async () => {
  const notHandedOver = of('1', '2');
  notHandedOver.published('1', 'msg_again');
  expect(await notHandedOver.lost(nothingThere)).toEqual(['msg_1', 'msg_2', 'msg_again']);
});
