/** Sorts with pauses for other work: short runs, then merged two by two. */
import { yieldToOthers } from '../stream/yield-to-others.ts';

const RUN = 4000;
/** Number of merge steps between two pauses. */
const STEPS = 20_000;

/**
 * Returns a sorted copy; equal elements keep their order.
 * @param isOver called in between; true stops the sort, and its result is then not sorted
 */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  isOver: () => boolean,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).toSorted(compare));
    if (isOver()) return items;
    await yieldToOthers();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
      if (isOver()) return items;
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const a = left[l];
    const b = right[r];
    if (a === undefined || b === undefined) break;
    if (compare(a, b) <= 0) {
      merged.push(a);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
    }
    if (merged.length % STEPS === 0) await yieldToOthers();
  }
  return merged.concat(left.slice(l), right.slice(r));
}
