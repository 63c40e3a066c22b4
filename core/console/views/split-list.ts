/**
 * Message numbers in ascending order that grow at both ends: a search adds older ones, new messages newer ones, and neither moves the rest.
 */
import { lowerBound, mergeSorted } from '../numbers.ts';
import type { NumberList } from '../numbers.ts';

export class SplitList implements NumberList {
  /** Older numbers, descending. All are lower than the newer ones. */
  #older: number[] = [];
  /** Newer numbers, ascending. */
  #newer: number[] = [];

  get total(): number {
    return this.#older.length + this.#newer.length;
  }

  at(index: number): number | undefined {
    const { length } = this.#older;
    return index < length ? this.#older[length - 1 - index] : this.#newer[index - length];
  }

  indexOf(number: number): number {
    if (this.#isNewer(number)) {
      const index = lowerBound(this.#newer, number);
      return this.#newer[index] === number ? this.#older.length + index : -1;
    }
    const index = firstNotAbove(this.#older, number);
    return this.#older[index] === number ? this.#older.length - 1 - index : -1;
  }

  /** Inserts or removes a number. */
  place(number: number, belongs: boolean): 'appended' | 'moved' | 'same' {
    const isNewer = this.#isNewer(number);
    const list = isNewer ? this.#newer : this.#older;
    const index = isNewer ? lowerBound(list, number) : firstNotAbove(list, number);
    const isThere = list[index] === number;
    if (isThere === belongs) return 'same';
    if (isThere) {
      list.splice(index, 1);
      return 'moved';
    }
    list.splice(index, 0, number);
    return this.indexOf(number) === this.total - 1 ? 'appended' : 'moved';
  }

  /**
   * @param found descending; nearly always older than all in the list
   * @returns count of new numbers
   */
  addFound(found: readonly number[]): number {
    const before = this.total;
    const oldest = this.at(0);
    const [newest] = found;
    if (newest === undefined) return 0;
    if (oldest === undefined || newest < oldest) {
      for (const number of found) this.#older.push(number);
      return found.length;
    }
    this.#newer = mergeSorted(found.toReversed(), [...this.#older.toReversed(), ...this.#newer]);
    this.#older = [];
    return this.total - before;
  }

  /**
   * Removes all numbers that fail `keep`.
   * @returns whether one was removed
   */
  retain(keep: (number: number) => boolean): boolean {
    const before = this.total;
    this.#older = this.#older.filter(keep);
    this.#newer = this.#newer.filter(keep);
    return this.total !== before;
  }

  equals(other: SplitList): boolean {
    if (other.total !== this.total) return false;
    for (let index = 0; index < this.total; index += 1) if (this.at(index) !== other.at(index)) return false;
    return true;
  }

  #isNewer(number: number): boolean {
    const newest = this.#older[0];
    return newest === undefined || number > newest;
  }
}

/** Index of the first element of a descending list that is not above `number`. */
function firstNotAbove(descending: readonly number[], number: number): number {
  let low = 0;
  let high = descending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((descending[middle] ?? -Infinity) > number) low = middle + 1;
    else high = middle;
  }
  return low;
}
