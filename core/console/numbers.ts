/** Sets of message numbers in ascending order: as a plain list, and as runs of consecutive numbers. */

/** Message numbers by their place in ascending order. */
export interface NumberList {
  readonly total: number;
  at(index: number): number | undefined;
  /** -1: not there. */
  indexOf(number: number): number;
}

/** Index of the first element that is not less than `number`. */
export function lowerBound(sorted: readonly number[], number: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first number of a list that is not below `wanted`. */
export function firstNotBelow(list: NumberList, wanted: number): number {
  let low = 0;
  let high = list.total;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list.at(middle) ?? Infinity) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both lists are ascending and without duplicates; so is the result. */
export function mergeSorted(left: readonly number[], right: readonly number[]): number[] {
  const merged: number[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = left[l] ?? Infinity;
    const b = right[r] ?? Infinity;
    merged.push(Math.min(a, b));
    if (a <= b) l += 1;
    if (b <= a) r += 1;
  }
  return merged;
}

/** Effect of adding a number. */
export type Added = 'known' | 'appended' | 'inserted';

/** A list that pays for runs, not for numbers: a history without gaps is one run. Appending costs the same at any length. */
export class RunList implements NumberList {
  /** One list that is never freed, for the reason in last-made.ts. */
  static readonly kept = new RunList();

  #starts: number[] = [];
  #ends: number[] = [];
  /** How many numbers are before each run. */
  #before: number[] = [];

  /** @param numbers ascending */
  static of(numbers: Iterable<number>): RunList {
    const list = new RunList();
    for (const number of numbers) list.add(number);
    return list;
  }

  static range(first: number, last: number): RunList {
    const list = new RunList();
    if (last < first) return list;
    list.#starts = [first];
    list.#ends = [last];
    list.#before = [0];
    return list;
  }

  get total(): number {
    return this.#countUpTo(this.#starts.length - 1);
  }

  get last(): number {
    return this.#ends.at(-1) ?? 0;
  }

  at(index: number): number | undefined {
    if (index < 0 || index >= this.total) return undefined;
    const run = lowerBound(this.#before, index + 1) - 1;
    return (this.#starts[run] ?? 0) + index - (this.#before[run] ?? 0);
  }

  indexOf(number: number): number {
    const run = this.#runOf(number);
    if (run === -1 || number > (this.#ends[run] ?? -1)) return -1;
    return (this.#before[run] ?? 0) + number - (this.#starts[run] ?? 0);
  }

  has(number: number): boolean {
    return this.indexOf(number) !== -1;
  }

  /** How many are less than or equal to `number`. */
  rank(number: number): number {
    const run = this.#runOf(number);
    if (run === -1) return 0;
    const inside = Math.min(number, this.#ends[run] ?? 0) - (this.#starts[run] ?? 0) + 1;
    return (this.#before[run] ?? 0) + inside;
  }

  add(number: number): Added {
    const run = this.#runOf(number);
    const end = this.#ends[run] ?? -Infinity;
    const next = this.#starts[run + 1];
    if (number <= end) return 'known';
    const joinsNext = next === number + 1;
    if (end === number - 1) {
      const [merged] = joinsNext ? this.#cut(run + 1) : [number];
      this.#ends[run] = merged ?? number;
    } else if (joinsNext) this.#starts[run + 1] = number;
    else this.#put(run + 1, number, number);
    this.#recount(Math.max(0, run));
    return next === undefined ? 'appended' : 'inserted';
  }

  remove(number: number): boolean {
    const run = this.#runOf(number);
    const start = this.#starts[run];
    const end = this.#ends[run];
    if (start === undefined || end === undefined || number > end) return false;
    this.#cut(run);
    if (number < end) this.#put(run, number + 1, end);
    if (number > start) this.#put(run, start, number - 1);
    this.#recount(run);
    return true;
  }

  /** Puts `numbers` (ascending, none above `boundary`) in place of everything up to `boundary`. */
  replaceUpTo(boundary: number, numbers: Iterable<number>): void {
    const starts = this.#starts;
    const ends = this.#ends;
    this.#starts = [];
    this.#ends = [];
    this.#before = [];
    for (const number of numbers) this.#extend(number, number);
    for (const [run, end] of ends.entries()) {
      if (end > boundary) this.#extend(Math.max(starts[run] ?? 0, boundary + 1), end);
    }
  }

  /** Adds a run that begins after everything there is. */
  #extend(start: number, end: number): void {
    const last = this.#ends.length - 1;
    if (last >= 0 && this.#ends[last] === start - 1) this.#ends[last] = end;
    else this.#put(last + 1, start, end);
    this.#recount(Math.max(0, last));
  }

  #put(run: number, start: number, end: number): void {
    this.#starts.splice(run, 0, start);
    this.#ends.splice(run, 0, end);
  }

  /** Takes a run out; gives its end. */
  #cut(run: number): number[] {
    this.#starts.splice(run, 1);
    return this.#ends.splice(run, 1);
  }

  #recount(from: number): void {
    this.#before.length = this.#starts.length;
    for (let run = from; run < this.#starts.length; run += 1) this.#before[run] = this.#countUpTo(run - 1);
  }

  /** The run that `number` is in or after; -1: it is before all of them. */
  #runOf(number: number): number {
    return lowerBound(this.#starts, number + 1) - 1;
  }

  #countUpTo(run: number): number {
    if (run < 0) return 0;
    return (this.#before[run] ?? 0) + (this.#ends[run] ?? 0) - (this.#starts[run] ?? 0) + 1;
  }
}
