/** The queue of lanes and waits. */
import { expect, test } from 'vitest';
import { Fifo } from '../../core/runtime/state/fifo.ts';

test('a queue keeps its order with thousands of items', () => {
  const queue = new Fifo<number>();
  const taken: (number | undefined)[] = [];
  for (let i = 0; i < 10_000; i += 1) {
    queue.push(i);
    if (i % 3 !== 0) taken.push(queue.shift());
  }
  let next = taken.length;
  expect(taken).toEqual(Array.from({ length: next }, (_, i) => i));
  expect(queue.first(3)).toEqual([next, next + 1, next + 2]);
  expect(queue.size).toBe(10_000 - next);
  const visited: number[] = [];
  expect(queue.some((one) => visited.push(one) === 3)).toBe(true);
  expect(visited).toEqual([next, next + 1, next + 2]);
  expect(queue.some((one) => one < next)).toBe(false);
  while (queue.size > 0) expect(queue.shift()).toBe(next++);
  expect(queue.shift()).toBeUndefined();
});
