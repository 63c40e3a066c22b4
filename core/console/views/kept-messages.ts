/** Numbers of all messages in the history: the unfiltered view, and the total for filtered ones. */
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import { RunList } from '../numbers.ts';
import type { Added, NumberList } from '../numbers.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';

const SLICE = 4000;
/** First slice where few messages are expected; each further one is twice as large. */
const FIRST_SLICE = 100;

export interface KeptDependencies {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called after messages were removed from the history and their numbers from here. */
  readonly onRemoved: () => void;
  readonly onFailure: (error: unknown) => void;
}

export class KeptMessages implements NumberList {
  readonly #deps: KeptDependencies;
  readonly #ready: Promise<void>;
  readonly #abort = new AbortController();
  #numbers = new RunList();
  /** Numbers added while the journal was being read, which the read may lack. */
  #fresh: number[] = [];
  #isReady = false;
  /** One above the highest number that the history has removed from its old end and this list may still have; 0 = none. */
  #prunedBefore = 0;
  /** Highest value that `#prunedBefore` has had. */
  #everPrunedBefore = 0;
  /** Number of removed messages of which no number is known. */
  #missing = 0;
  #isSweeping = false;

  constructor(deps: KeptDependencies) {
    this.#deps = deps;
    this.#ready = this.#read();
    // Callers that await `ready` get a failure; without this empty handler it would crash the process if there are none.
    this.#ready.catch(() => undefined);
  }

  /** Resolves when the list is complete; rejects if the journal cannot be read. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  get total(): number {
    return this.#numbers.total;
  }

  get last(): number {
    return this.#numbers.last;
  }

  at(index: number): number | undefined {
    return this.#numbers.at(index);
  }

  indexOf(number: number): number {
    return this.#numbers.indexOf(number);
  }

  has(number: number): boolean {
    return this.#numbers.has(number);
  }

  /** Number of entries up to and including `number`. */
  rank(number: number): number {
    return this.#numbers.rank(number);
  }

  add(number: number): Added {
    if (!this.#isReady || this.#isSweeping) this.#fresh.push(number);
    return this.#numbers.add(number);
  }

  /**
   * Notes that the journal has removed messages; a read finds out which.
   * @param before one above the highest of their numbers; 0 = not known
   */
  pruned(count: number, before: number): void {
    if (before > 0) {
      this.#prunedBefore = Math.max(this.#prunedBefore, before);
      this.#everPrunedBefore = Math.max(this.#everPrunedBefore, before);
    } else this.#missing += count;
    void this.#sweep();
  }

  /**
   * Removes numbers that the journal does not have.
   * @returns whether one of them was here
   */
  removeMissing(numbers: readonly number[]): boolean {
    const removed = numbers.filter((number) => this.#numbers.remove(number));
    // Messages that the history removed from its old end are not counted as missing.
    const counted = removed.filter((number) => number >= this.#everPrunedBefore).length;
    this.#missing = Math.max(0, this.#missing - counted);
    return removed.length > 0;
  }

  /**
   * Drops what the history no longer has at its old end, before an event says so: it removes thousands at a time.
   * @returns whether anything was here
   */
  async dropOldest(): Promise<boolean> {
    const { messages, oldestNumber } = await this.#deps.journal.stats();
    if (messages === 0 || !this.#isReady || this.#numbers.rank(oldestNumber - 1) === 0) return false;
    this.#everPrunedBefore = Math.max(this.#everPrunedBefore, oldestNumber);
    this.#numbers.replaceUpTo(oldestNumber - 1, []);
    return true;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const { messages, oldestNumber, lastNumber } = await this.#deps.journal.stats();
    const isDense = messages === lastNumber - oldestNumber + 1;
    if (messages === 0) this.#put(Infinity, []);
    else if (isDense) this.#replace(RunList.range(oldestNumber, lastNumber));
    else this.#replace(await this.#readAll());
    this.#isReady = true;
    void this.#sweep();
  }

  #replace(numbers: RunList): void {
    this.#numbers = numbers;
    this.#addFresh();
  }

  #put(boundary: number, numbers: readonly number[]): void {
    this.#numbers.replaceUpTo(boundary, numbers);
    this.#addFresh();
  }

  #addFresh(): void {
    for (const number of this.#fresh) this.#numbers.add(number);
    this.#fresh = [];
  }

  async #readAll(): Promise<RunList> {
    const all = new RunList();
    await this.#walk((numbers) => {
      for (const number of numbers) all.add(number);
      return false;
    });
    return all;
  }

  /** Drops all numbers that the history no longer has. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping || !this.#isReady) return;
    this.#isSweeping = true;
    try {
      while (!this.#abort.signal.aborted) {
        if (this.#prunedBefore > 0) await this.#dropPruned();
        else if (this.#missing > 0) await this.#dropMissing();
        else break;
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#deps.onFailure(error);
    } finally {
      this.#isSweeping = false;
    }
  }

  /**
   * Drops what the history no longer has below a number. Under load this happens many times a second. Nothing is left there unless a message
   * is open or pinned, so the oldest number of the history nearly always says it all.
   */
  async #dropPruned(): Promise<void> {
    const before = this.#prunedBefore;
    // A removal that comes while this one is being read may be one of lower numbers, and is read afterwards.
    this.#prunedBefore = 0;
    let left: readonly number[];
    try {
      left = await this.#leftBelow(before);
    } catch (error) {
      this.#prunedBefore = Math.max(this.#prunedBefore, before);
      throw error;
    }
    const isFewer = left.length < this.#numbers.rank(before - 1);
    this.#put(before - 1, left);
    if (isFewer) this.#deps.onRemoved();
  }

  /** Numbers below this one that the history has. */
  async #leftBelow(before: number): Promise<readonly number[]> {
    const { messages, oldestNumber } = await this.#deps.journal.stats();
    const left: number[] = [];
    if (messages === 0 || oldestNumber >= before) return left;
    await this.#walk((numbers, next) => {
      for (const number of numbers) if (number < before) left.push(number);
      return next === undefined || next >= before;
    }, FIRST_SLICE);
    return left;
  }

  /** Reads the oldest messages until all missing ones are found. */
  async #dropMissing(): Promise<void> {
    const left: number[] = [];
    const wanted = this.#missing;
    const last = this.#numbers.last;
    let gone = 0;
    let boundary = 0;
    await this.#walk((numbers, next) => {
      for (const number of numbers) left.push(number);
      boundary = Math.min(next ?? last, last);
      gone = this.#numbers.rank(boundary) - left.filter((number) => number <= boundary).length;
      return gone >= wanted;
    });
    this.#put(
      boundary,
      left.filter((number) => number <= boundary),
    );
    this.#missing = Math.max(0, this.#missing - wanted);
    if (gone > 0) this.#deps.onRemoved();
  }

  /**
   * Reads numbers, oldest first, in slices, until `take` has enough or the end is reached.
   * @param firstSlice length of the first slice
   */
  async #walk(
    take: (numbers: readonly number[], next: number | undefined) => boolean,
    firstSlice = SLICE,
  ): Promise<void> {
    const { journal, clock } = this.#deps;
    let after: number | undefined;
    let limit = firstSlice;
    do {
      const slice = await journal.scan({
        order: 'oldest',
        limit,
        nowMs: clock.now(),
        signal: this.#abort.signal,
        ...withoutUndefined({ after }),
      });
      if (take(slice.numbers, slice.next)) return;
      after = slice.next;
      limit = Math.min(SLICE, 2 * limit);
      await yieldToOthers();
    } while (after !== undefined && !this.#abort.signal.aborted);
  }
}
