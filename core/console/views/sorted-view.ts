/** A snapshot sorted by a column: by time until all its messages were examined, then by the column. */
import type { Result, ViewChanged } from '../../contract/console.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { compareValues, payloadValue } from '../../domain/row-order.ts';
import type { SortValue } from '../../domain/row-order.ts';
import type { SortBy } from './filter.ts';
import type { ListChange, Progress } from './match-list.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { firstNotBelow } from '../numbers.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';
import { MAX_READS, RereadView } from './reread-view.ts';
import { sortInSlices } from './slow-sort.ts';
import type { OpenView, Reading, ViewDependencies } from './view.ts';
import type { ViewLists } from './view-lists.ts';

/** Number of messages examined at a time: each slice waits for its turn in the journal, and one value of a column is read fast. */
const SLICE = 10_000;
/** Number of messages read at a time if the column is a path into payloads, because each payload is read. */
const PAYLOADS = 1000;
/** When the journal could not be read, all values are read again after this time. */
const AFTER_FAILURE_MS = 5000;

export interface SortedDependencies extends ViewDependencies {
  readonly sortBy: SortBy;
  readonly lists: Pick<ViewLists, 'newest' | 'summaries' | 'columnValues' | 'notify' | 'failed'>;
}

interface Item {
  readonly number: number;
  readonly value: SortValue;
}

export class SortedView extends RereadView implements OpenView {
  readonly #deps: SortedDependencies;
  readonly #clock: Clock;
  /** Number of the newest message in the view. */
  #last = Infinity;
  #numbers: readonly number[] | undefined;
  #done = 0;
  #of = 0;
  #isClosed = false;
  #hasMoved = false;
  /** Goes on once the search behind the list has ended. */
  #goOn: (() => void) | undefined;
  #timer: Cancel | undefined;

  constructor(deps: SortedDependencies, clock: Clock) {
    super(deps.viewId, clock.now());
    this.#deps = deps;
    this.#clock = clock;
  }

  get upTo(): number {
    return this.#last;
  }

  get total(): number {
    return this.#numbers?.length ?? firstNotBelow(this.#deps.list, this.#last + 1);
  }

  async ready(wantsAll: boolean): Promise<void> {
    const { list, lists } = this.#deps;
    // Where the search has found nothing yet, all matches are among the messages of this moment.
    const newestPossible = list.progress === undefined ? 0 : lists.newest;
    this.#last = list.at(list.total - 1) ?? newestPossible;
    const sorting = this.#sort();
    if (wantsAll) await sorting;
    else sorting.catch((error: unknown) => this.#sortLater(error));
  }

  /** A sorted view is a snapshot: it only counts later messages. The stream updates its rows. */
  override note(change: ListChange): void {
    super.note(change);
    if (change.appended > 0) this.changed();
    // Matches that a search finds, or that are removed, move the lines until these stand in the order of the column.
    if (change.hasMoved && this.#numbers === undefined) {
      this.#hasMoved = true;
      this.changed();
    }
    if (this.#deps.list.progress === undefined) this.#goOn?.();
  }

  async read(from: number, count: number, { rowsOf, beforeLook }: Reading): Promise<Result<'view.rows'>> {
    for (let read = 1; ; read += 1) {
      beforeLook?.();
      const numbers = this.#look(from, count);
      const rows = await rowsOf(numbers);
      const found = rows.filter((row) => row !== undefined);
      const next = rows.length < numbers.length ? from + rows.length : undefined;
      if (found.length === rows.length || read === MAX_READS) {
        this.asked.answered(next);
        return { rows: found, total: this.total, ...withoutUndefined({ next }) };
      }
      const gone = new Set(
        numbers.filter((_number, index) => index < rows.length && rows[index] === undefined),
      );
      this.#numbers = this.#numbers?.filter((number) => !gone.has(number));
    }
  }

  indexOf(number: number): number {
    if (this.#numbers !== undefined) return this.#numbers.indexOf(number);
    const index = number > this.#last ? -1 : this.#deps.list.indexOf(number);
    return index === -1 ? -1 : this.#byTime(index);
  }

  numberAt(position: number): number | undefined {
    if (position < 0 || position >= this.total) return undefined;
    return this.#numbers === undefined ? this.#deps.list.at(this.#byTime(position)) : this.#numbers[position];
  }

  get progress(): Progress | undefined {
    if (this.#numbers !== undefined) return undefined;
    return this.#deps.list.progress ?? { done: this.#done, of: this.#of };
  }

  override settle(): void {
    super.settle();
    this.#hasMoved = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#goOn?.();
    this.#timer?.();
    this.#deps.leave();
  }

  protected moves(): Pick<ViewChanged, 'moved'> {
    return this.#hasMoved ? { moved: true } : {};
  }

  /** Position of a message, or message at a position, before the view is sorted. */
  #byTime(index: number): number {
    return this.#deps.order === 'oldest' ? index : this.total - 1 - index;
  }

  #look(from: number, count: number): readonly number[] {
    const numbers: number[] = [];
    for (let position = from; position < Math.min(this.total, from + count); position += 1) {
      const number = this.numberAt(position);
      if (number !== undefined) numbers.push(number);
    }
    if (this.asked.ask(from, count)) this.window = new Set(numbers);
    return numbers;
  }

  /** The journal could not be read. */
  #sortLater(error: unknown): void {
    if (this.#isClosed) return;
    this.#deps.lists.failed(error);
    this.#timer = this.#clock.at(this.#clock.now() + AFTER_FAILURE_MS, () => {
      this.#sort().catch((again: unknown) => this.#sortLater(again));
    });
  }

  /** Resolves when the list has all matches: the older ones come last. */
  async #searched(): Promise<void> {
    while (this.#deps.list.progress !== undefined && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
  }

  async #sort(): Promise<void> {
    const { list, order, lists } = this.#deps;
    await this.#searched();
    const items: Item[] = [];
    const slice = this.#deps.sortBy.kind === 'facet' ? PAYLOADS : SLICE;
    this.#of = this.total;
    for (let after = 0; !this.#isClosed;) {
      const numbers: number[] = [];
      for (let at = firstNotBelow(list, after + 1); numbers.length < slice; at += 1) {
        const number = list.at(at);
        if (number === undefined || number > this.#last) break;
        numbers.push(number);
      }
      if (numbers.length === 0) break;
      for (const item of await this.#itemsOf(numbers)) items.push(item);
      after = numbers.at(-1) ?? after;
      this.#done = Math.min(this.#of, items.length);
      lists.notify();
      await yieldToOthers();
    }
    const isDown = order === 'newest';
    const sorted = await sortInSlices(
      items,
      (a, b) => compareValues(a.value, b.value, isDown) || a.number - b.number,
      () => this.#isClosed,
    );
    if (this.#isClosed) return;
    this.#numbers = sorted.map(({ number }) => number);
    this.#hasMoved = true;
    this.changed();
    lists.notify();
  }

  async #itemsOf(numbers: readonly number[]): Promise<readonly Item[]> {
    const { sortBy, lists } = this.#deps;
    if (sortBy.kind === 'facet') {
      const found = await lists.summaries(numbers, [sortBy.facet]);
      return found.flatMap((each) =>
        each === undefined ? [] : [{ number: each.number, value: payloadValue(each.values[0]) }],
      );
    }
    const found = await lists.columnValues(numbers, sortBy.column);
    return found.numbers.map((number, at) => ({ number, value: found.values[at] }));
  }
}
