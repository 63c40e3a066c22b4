/** Maps of the newest entries that share a room. */
import { expect, test } from 'vitest';
import { Recent, RecentRoom } from '../../core/mock-app/recent.ts';

function fill(map: Recent<number>, count: number): void {
  for (let n = 0; n < count; n += 1) map.set(`${n}`, n);
}

test('a map keeps the newest entries, and a key that is set again is new', () => {
  const map = new Recent<number>(3);
  fill(map, 3);
  map.set('0', 10);
  map.set('3', 3);
  expect(['0', '1', '2', '3'].map((key) => map.get(key))).toEqual([10, undefined, 2, 3]);
});

test('where the room is full the largest map forgets, so a flood to one takes nothing from another', () => {
  const room = new RecentRoom(100);
  const [small, large] = [new Recent<number>(1000, room), new Recent<number>(1000, room)];
  fill(small, 20);
  fill(large, 5000);
  expect([small.size, large.size]).toEqual([20, 80]);
  expect(small.get('0')).toBe(0);
  fill(small, 60);
  expect([small.size, large.size]).toEqual([50, 50]);
});

test('a map that is cleared gives its room back', () => {
  const room = new RecentRoom(100);
  const [one, other] = [new Recent<number>(1000, room), new Recent<number>(1000, room)];
  fill(one, 60);
  one.clear();
  fill(other, 100);
  expect([one.size, other.size]).toEqual([0, 100]);
  fill(one, 10);
  expect([one.size, other.size]).toEqual([10, 90]);
});
