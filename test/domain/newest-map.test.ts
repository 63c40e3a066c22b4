/** A map that keeps its newest entries, whatever was removed from it in between. */
import { expect, test } from 'vitest';
import { NewestMap } from '../../core/domain/newest-map.ts';
import { collectGarbage } from '../support/garbage.ts';

const settled = (): Promise<void> => Promise.resolve();

test('the oldest entry goes for each new one beyond the limit', () => {
  const map = new NewestMap<number>(2);
  expect([map.add('a', 1), map.add('b', 2), map.add('c', 3), map.add('d', 4)]).toEqual([
    undefined,
    undefined,
    ['a', 1],
    ['b', 2],
  ]);
  expect([...map]).toEqual([
    ['c', 3],
    ['d', 4],
  ]);
});

test('an entry that is added again becomes the newest', () => {
  const map = new NewestMap<number>(2);
  map.add('a', 1);
  map.add('b', 2);
  expect(map.add('a', 3)).toBeUndefined();
  expect(map.add('c', 4)).toEqual(['b', 2]);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

test('entries that were removed or cleared make room, and do not go a second time', () => {
  const map = new NewestMap<number>(3);
  for (const key of ['a', 'b', 'c', 'd']) map.add(key, 0);
  map.delete('b');
  expect(map.add('e', 1)).toBeUndefined();
  expect(map.add('f', 2)).toEqual(['c', 0]);
  map.clear();
  for (const key of ['g', 'h', 'i']) expect(map.add(key, 3)).toBeUndefined();
  expect(map.add('j', 4)).toEqual(['g', 3]);
  expect(map.size).toBe(3);
});

test('entries that are added and removed leave nothing in memory', async () => {
  const map = new NewestMap<number>(5_000);
  await collectGarbage(settled);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 300_000; n += 1) {
    map.add(`k${n}`, n);
    map.delete(`k${n - 100}`);
  }
  await collectGarbage(settled);
  expect(map.size).toBe(100);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8_000_000);
});

test('ten thousand random additions and removals keep what a plain list keeps', () => {
  const map = new NewestMap<number>(50);
  const list: string[] = [];
  let state = 20_261_129;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let n = 0; n < 10_000; n += 1) {
    const key = `k${random(200)}`;
    const at = list.indexOf(key);
    if (at >= 0) list.splice(at, 1);
    if (random(4) === 0) {
      map.delete(key);
      continue;
    }
    list.push(key);
    const gone = list.length > 50 ? list.shift() : undefined;
    expect(map.add(key, n)?.[0]).toBe(gone);
  }
  expect([...map].map(([key]) => key)).toEqual(list);
});
