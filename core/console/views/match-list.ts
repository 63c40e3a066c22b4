/** The messages that match one filter, found in slices and updated when messages are added or changed. */
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Filter, FilterNode } from '../../domain/filter/ast.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { NumberList } from '../numbers.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';
import { SplitList } from './split-list.ts';

const SLICE = 20_000;
/** Maximum number of changed messages that wait to be tested; above it the whole history is read again. */
const MAX_DIRTY = 50_000;
/** Interval at which a filter over `age` is evaluated again, because time alone changes its matches. */
const AGE_EVERY_MS = 10_000;
/** Time after a failed read until everything is read again. */
const AFTER_FAILURE_MS = 5000;

export interface ListChange {
  /** Number of new matches after all others. */
  readonly appended: number;
  /** Whether positions changed otherwise: matches were removed or inserted. */
  readonly hasMoved: boolean;
  /** Messages that changed, whether they match or not; some more than once. */
  readonly touched: readonly number[];
}

export interface Progress {
  readonly done: number;
  readonly of: number;
}

/** Numbers of the messages in the history. */
export interface KeptNumbers {
  /** Resolves when they are all known. */
  readonly ready: Promise<void>;
  readonly total: number;
  readonly last: number;
  has(number: number): boolean;
  rank(number: number): number;
}

export interface MatchListDependencies {
  readonly journal: Pick<Journal, 'scan' | 'test'>;
  readonly clock: Clock;
  readonly kept: KeptNumbers;
  readonly filter: Filter;
  readonly onChange: (change: ListChange) => void;
  readonly onFailure: (error: unknown) => void;
}

interface Waiter {
  readonly wantsAll: boolean;
  readonly touches: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Scan {
  /** Number after which the read continues; undefined: nothing was read yet. */
  readonly after: number | undefined;
  /** New list for the matches while everything is read again; undefined: the first read, into the list itself. */
  readonly into: SplitList | undefined;
}

export class MatchList implements NumberList {
  readonly #deps: MatchListDependencies;
  readonly #abort = new AbortController();
  #numbers = new SplitList();
  #dirty = new Set<number>();
  #scan: Scan | undefined = { after: undefined, into: undefined };
  #hasLooked = false;
  #isWorking = false;
  /** Number of calls to `touch`; `#tested` is the number of processed ones. */
  #touches = 0;
  #tested = 0;
  #waiters: Waiter[] = [];
  #timer: Cancel | undefined;

  constructor(deps: MatchListDependencies) {
    this.#deps = deps;
    void this.#work();
  }

  get total(): number {
    return this.#numbers.total;
  }

  /** Number of messages examined by the first search; undefined: it is done. */
  get progress(): Progress | undefined {
    const { kept } = this.#deps;
    if (this.#scan === undefined || this.#scan.into !== undefined) return undefined;
    const { after } = this.#scan;
    return { done: after === undefined ? 0 : kept.total - kept.rank(after - 1), of: kept.total };
  }

  at(index: number): number | undefined {
    return this.#numbers.at(index);
  }

  indexOf(number: number): number {
    return this.#numbers.indexOf(number);
  }

  /** Tests new or changed messages. */
  touch(numbers: Iterable<number>): void {
    this.#touches += 1;
    for (const number of numbers) this.#dirty.add(number);
    if (this.#dirty.size > MAX_DIRTY) {
      this.#dirty.clear();
      this.#startOver();
    }
    void this.#work();
  }

  /** Rereads all matches; the list keeps its old rows until they are replaced. */
  searchAgain(): void {
    this.#startOver();
    void this.#work();
  }

  /** Removes messages that the history no longer has. */
  retain(): void {
    const { kept, onChange } = this.#deps;
    if (!this.#numbers.retain((number) => kept.has(number))) return;
    onChange({ appended: 0, hasMoved: true, touched: [] });
  }

  /** Resolves when the list has all changes so far and a first slice of the history (`wantsAll`: all of it) was searched. */
  settled(wantsAll: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ wantsAll, touches: this.#touches, resolve, reject });
      void this.#work();
    });
  }

  close(): void {
    this.#abort.abort();
    this.#timer?.();
    this.#release(() => true, new Error('The view was closed.'));
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      // Before the numbers of the history are known, a match may be a removed message.
      await this.#deps.kept.ready;
      while (!this.#abort.signal.aborted) {
        if (this.#dirty.size > 0) await this.#retest();
        else this.#tested = this.#touches;
        if (this.#scan !== undefined) await this.#search(this.#scan);
        if (this.#dirty.size === 0) this.#tested = this.#touches;
        this.#release(({ wantsAll, touches }) => {
          return this.#hasLooked && touches <= this.#tested && !(wantsAll && this.progress !== undefined);
        });
        if (this.#dirty.size === 0 && this.#scan === undefined) return;
        await yieldToOthers();
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#fail(error);
    } finally {
      this.#isWorking = false;
    }
  }

  async #retest(): Promise<void> {
    const { journal, filter, clock, kept, onChange } = this.#deps;
    const touched = [...this.#dirty];
    const upTo = this.#touches;
    this.#dirty = new Set();
    const matching = await journal.test(touched, filter, clock.now());
    const again = this.#scan?.into;
    let appended = 0;
    let hasMoved = false;
    for (const number of touched) {
      const belongs = matching.has(number) && kept.has(number);
      const change = this.#numbers.place(number, belongs);
      if (change === 'appended') appended += 1;
      else if (change === 'moved') hasMoved = true;
      again?.place(number, belongs);
    }
    this.#tested = upTo;
    onChange({ appended, hasMoved, touched });
  }

  async #search(scan: Scan): Promise<void> {
    const { journal, filter, clock, kept, onChange } = this.#deps;
    const slice = await journal.scan({
      filter,
      order: 'newest',
      limit: SLICE,
      nowMs: clock.now(),
      signal: this.#abort.signal,
      ...withoutUndefined({ after: scan.after }),
    });
    this.#hasLooked = true;
    // The search was restarted meanwhile, so this slice does not count.
    if (scan !== this.#scan) return;
    const isFirst = scan.into === undefined;
    const isDone = slice.next === undefined;
    const found = slice.numbers.filter((number) => kept.has(number));
    const into = scan.into ?? this.#numbers;
    const added = into.addFound(found);
    const isOther = isFirst ? added > 0 : isDone && !into.equals(this.#numbers);
    this.#scan = isDone ? undefined : { after: slice.next, into: scan.into };
    if (isDone) this.#numbers = into;
    if (isDone) this.#againLater();
    onChange({ appended: 0, hasMoved: isOther, touched: [] });
  }

  #startOver(): void {
    const isFirst = this.#scan !== undefined && this.#scan.into === undefined;
    this.#scan = { after: undefined, into: isFirst ? undefined : new SplitList() };
  }

  #againLater(): void {
    if (looksAtAge(this.#deps.filter.root)) this.#restartIn(AGE_EVERY_MS);
  }

  #restartIn(delayMs: number): void {
    const { clock } = this.#deps;
    this.#timer?.();
    this.#timer = clock.at(clock.now() + delayMs, () => {
      if (this.#scan === undefined) this.#startOver();
      void this.#work();
    });
  }

  #fail(error: unknown): void {
    this.#scan = undefined;
    this.#dirty.clear();
    this.#release(() => true, error);
    this.#restartIn(AFTER_FAILURE_MS);
    this.#deps.onFailure(error);
  }

  #release(isDone: (waiter: Waiter) => boolean, failure?: unknown): void {
    const done = this.#waiters.filter(isDone);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve, reject } of done) {
      if (failure === undefined) resolve();
      else reject(failure);
    }
  }
}

/** Whether time alone changes the matches of a filter. */
function looksAtAge(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.some(looksAtAge);
    case 'not':
      return looksAtAge(node.node);
    case 'term':
      return node.key === 'age';
    case 'text':
      return false;
  }
}
