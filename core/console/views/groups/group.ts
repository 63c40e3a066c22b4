/** One group of a grouped list: its messages by number, and how many there are of each state. */
import { ROW_STATES } from '../../../contract/words.ts';
import { lowerBound } from '../../numbers.ts';

/** Groups with more messages than this keep their counts; smaller ones count when they are asked. */
const COUNTED_FROM = 32;

export class Group {
  /** Undefined: messages that have no such value. */
  readonly value: string | undefined;
  isOpen = false;
  /** Number of the group's first message when it was put in order: groups are in the order of these numbers. */
  key: number;
  /** Ascending. */
  readonly numbers: number[];
  #counts: Uint32Array | undefined;

  /** A list that begins with one number takes the room of one: most groups of a large list never have a second. */
  constructor(value: string | undefined, first: number) {
    this.value = value;
    this.key = first;
    this.numbers = [first];
  }

  get id(): string {
    return groupIdOf(this.value);
  }

  get size(): number {
    return this.numbers.length;
  }

  /** Infinity: it is empty. */
  get first(): number {
    return this.numbers[0] ?? Infinity;
  }

  get last(): number {
    return this.numbers.at(-1) ?? 0;
  }

  add(number: number, rank: number): void {
    if (number > this.last) this.numbers.push(number);
    else this.numbers.splice(lowerBound(this.numbers, number), 0, number);
    this.#count(rank, 1);
  }

  /**
   * Takes out several at once.
   * @param numbers ascending, all of them here
   */
  removeAll(numbers: readonly number[], rankOf: (number: number) => number): void {
    const from = lowerBound(this.numbers, numbers[0] ?? Infinity);
    const end = lowerBound(this.numbers, numbers.at(-1) ?? 0) + 1;
    const gone = new Set(numbers);
    const left = this.numbers.slice(from, end).filter((number) => !gone.has(number));
    this.numbers.splice(from, end - from, ...left);
    for (const number of numbers) this.#count(rankOf(number), -1);
  }

  changeRank(before: number, now: number): void {
    this.#count(before, -1);
    this.#count(now, 1);
  }

  /** How many messages there are of each state, by its place in the order of attention. */
  countsBy(rankOf: (number: number) => number): Uint32Array {
    if (this.#counts !== undefined) return this.#counts;
    const counts = new Uint32Array(ROW_STATES.length);
    for (const number of this.numbers) {
      const rank = rankOf(number);
      counts[rank] = (counts[rank] ?? 0) + 1;
    }
    if (this.size >= COUNTED_FROM) this.#counts = counts;
    return counts;
  }

  #count(rank: number, by: 1 | -1): void {
    if (this.#counts !== undefined) this.#counts[rank] = (this.#counts[rank] ?? 0) + by;
  }
}

/** Name of the group of a value; the same in every view, so that what was open can be opened again. */
export function groupIdOf(value: string | undefined): string {
  return value === undefined ? 'none' : `=${value}`;
}
