/** A snapshot sorted by a column: by time until all its messages were examined, then by the column. */
import type { Result, ViewChanged } from '../../contract/console.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { compareValues, payloadValue } from '../../domain/row-order.ts';
import type { SortValue } from '../../domain/row-order.ts';
import { AskedRange } from './asked-range.ts';
import type { SortBy } from './filter.ts';
import type { ListChange, Progress } from './match-list.ts';
import { firstNotBelow } from '../numbers.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';
import { sortInSlices } from './slow-sort.ts';
import type { Covered, OpenView, Reading, ViewDependencies } from './view.ts';
import type { ViewLists } from './view-lists.ts';

/** Number of messages examined at a time: each slice waits for its turn in the journal, and one value of a column is read fast. */
const SLICE = 10_000;
/** Number of messages read at a time if the column is a path into payloads, because each payload is read. */
const PAYLOADS = 1000;
const MAX_READS = 3;

export interface SortedDependencies extends ViewDependencies {
  readonly sortBy: SortBy;
  readonly lists: Pick<ViewLists, 'summaries' | 'columnValues' | 'notify' | 'failed'>;
}

interface Item {
  readonly number: number;
  readonly value: SortValue;
}

export class SortedView implements OpenView {
  readonly #deps: SortedDependencies;
  /** Number of the newest message in the view. */
  #last = Infinity;
  #numbers: readonly number[] | undefined;
  readonly #asked = new AskedRange();
  #window = new Set<number>();
  #done = 0;
  #of = 0;
  #lastSent = '';
  #isAnnounced = false;
  #isClosed = false;
  #hasMoved = false;
  #appended = 0;
  lastUsedMs: number;

  readonly leastPushed = Infinity;

  constructor(deps: SortedDependencies, nowMs: number) {
    this.#deps = deps;
    this.lastUsedMs = nowMs;
  }

  get viewId(): string {
    return this.#deps.viewId;
  }

  get total(): number {
    return this.#numbers?.length ?? firstNotBelow(this.#deps.list, this.#last + 1);
  }

  async ready(wantsAll: boolean): Promise<void> {
    const { list } = this.#deps;
    this.#last = list.at(list.total - 1) ?? 0;
    const sorting = this.#sort();
    if (wantsAll) await sorting;
    else sorting.catch((error: unknown) => this.#deps.lists.failed(error));
  }

  /** A sorted view is a snapshot: it only counts later messages. The stream updates its rows. */
  note({ appended }: ListChange): void {
    this.#appended += appended;
  }

  mayPush(): boolean {
    return false;
  }

  covered(): Covered {
    return { least: -Infinity, most: Infinity, has: (number) => this.#window.has(number) };
  }

  async read(from: number, count: number, { rowsOf, beforeLook }: Reading): Promise<Result<'view.rows'>> {
    for (let read = 1; ; read += 1) {
      beforeLook?.();
      const numbers = this.#look(from, count);
      const rows = await rowsOf(numbers);
      const found = rows.filter((row) => row !== undefined);
      const next = rows.length < numbers.length ? from + rows.length : undefined;
      if (found.length === rows.length || read === MAX_READS) {
        this.#asked.answered(next);
        return { rows: found, total: this.total, ...withoutUndefined({ next }) };
      }
      const gone = new Set(
        numbers.filter((_number, index) => index < rows.length && rows[index] === undefined),
      );
      this.#numbers = this.#numbers?.filter((number) => !gone.has(number));
    }
  }

  indexOf(number: number): number {
    const { list } = this.#deps;
    return this.#numbers === undefined ? list.indexOf(number) : this.#numbers.indexOf(number);
  }

  numberAt(position: number): number | undefined {
    return this.#numbers === undefined ? this.#deps.list.at(position) : this.#numbers[position];
  }

  get progress(): Progress | undefined {
    return this.#numbers === undefined ? { done: this.#done, of: this.#of } : undefined;
  }

  get isNews(): boolean {
    return (
      this.#isAnnounced && (this.#hasMoved || this.#appended > 0 || this.#lastSent !== this.#progressText())
    );
  }

  settle(): void {
    this.#hasMoved = false;
    this.#appended = 0;
    this.#lastSent = this.#progressText();
  }

  announce(): void {
    this.#isAnnounced = true;
  }

  wanted(): readonly number[] {
    return [];
  }

  news(): ViewChanged {
    const { progress } = this;
    const changed: ViewChanged = {
      viewId: this.viewId,
      total: this.total,
      appended: this.#appended,
      rows: [],
      ...(this.#hasMoved ? { moved: true } : {}),
      ...withoutUndefined({ progress }),
    };
    this.settle();
    return changed;
  }

  close(): void {
    this.#isClosed = true;
    this.#deps.leave();
  }

  #look(from: number, count: number): readonly number[] {
    const { list, order } = this.#deps;
    const { total } = this;
    const numbers: number[] = [];
    for (let position = from; position < Math.min(total, from + count); position += 1) {
      const byTime = order === 'oldest' ? position : total - 1 - position;
      const number = this.#numbers === undefined ? list.at(byTime) : this.#numbers[position];
      if (number !== undefined) numbers.push(number);
    }
    if (this.#asked.ask(from, count)) this.#window = new Set(numbers);
    return numbers;
  }

  async #sort(): Promise<void> {
    const { list, order, lists } = this.#deps;
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

  #progressText(): string {
    return `${this.#done} ${this.#numbers === undefined}`;
  }
}
