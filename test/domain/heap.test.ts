// The heap against a sorted list.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '../../core/domain/heap.ts';

const ascending = (a: number, b: number): boolean => a < b;

function emptied<T>(heap: Heap<T>): T[] {
  const out: T[] = [];
  for (let { first } = heap; first !== undefined; { first } = heap) {
    expect(heap.pop()).toBe(first);
    out.push(first);
  }
  expect(heap.pop()).toBeUndefined();
  expect(heap.size).toBe(0);
  return out;
}

test('a heap gives its items in their order, however they came in', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (numbers) => {
      const heap = new Heap<number>(ascending);
      for (const number of numbers) heap.push(number);
      expect(heap.size).toBe(numbers.length);
      expect(emptied(heap)).toEqual(numbers.toSorted((a, b) => a - b));
    }),
  );
});

test('removed and unwanted items leave the rest in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.array(fc.nat(50)), (before, after) => {
      const heap = new Heap<number>(ascending);
      for (const number of before) heap.push(number);
      const [lowest, ...left] = before.toSorted((a, b) => a - b);
      expect(heap.pop()).toBe(lowest);
      for (const number of after) heap.push(number);
      heap.keep((number) => number % 3 !== 0);
      const wanted = [...left, ...after].filter((number) => number % 3 !== 0);
      expect(emptied(heap)).toEqual(wanted.toSorted((a, b) => a - b));
    }),
  );
});

test('a heap that was cleared is empty and takes items again', () => {
  const heap = new Heap<number>(ascending);
  heap.push(2);
  heap.clear();
  expect(heap.first).toBeUndefined();
  heap.push(1);
  expect(emptied(heap)).toEqual([1]);
});
