/** One view of a connection: positions, its window, and the changes since its client was last notified. */
import type { Result, ViewChanged } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { AskedRange } from './asked-range.ts';
import type { ListChange, Progress } from './match-list.ts';
import { firstNotBelow, RunList } from '../numbers.ts';
import type { NumberList } from '../numbers.ts';

/** Number of newest rows that a client always holds. */
const NEWEST_ROWS = 2000;
/** Maximum number of newest rows pushed beside the client's last range: what a screen can show while it follows. */
const PUSHED_NEWEST = 80;
/** Changed rows among which none is looked for that has left the pushed ones: under load each message does so within a few batches. */
const FEW_CHANGED = 4 * PUSHED_NEWEST;

export interface ViewList extends NumberList {
  readonly progress?: Progress | undefined;
}

/** Listener to changes of the list behind a view. */
export interface Watcher {
  note(change: ListChange): void;
  /** Whether the row of this message may be pushed next. */
  mayPush(number: number): boolean;
  /** No message with a lower number may be pushed next. */
  readonly leastPushed: number;
  /** The stream of the view's client wants no event about a message with a lower number. */
  readonly leastShown: number;
  /** Whether each change of each message has to be noted. If not, a message whose row nobody was given yet is noted once, as a new one. */
  readonly needsEachChange: boolean;
}

/** Interface of an open view for its set of views, grouped or not. */
export interface OpenView extends Watcher {
  readonly viewId: string;
  readonly total: number;
  /** Highest number that a message of a snapshot can have; absent: the view goes on. */
  readonly upTo?: number;
  /** Progress of the search; undefined: it is done. */
  readonly progress: Progress | undefined;
  lastUsedMs: number;
  /** The messages of the last range that the client requested, as the view is now. */
  covered(): Covered;
  readonly isNews: boolean;
  settle(): void;
  announce(): void;
  wanted(): readonly number[];
  news(rowOf: (number: number) => MessageRow | undefined): ViewChanged;
  /** Resolves when the view can be read; `wantsAll`: when it is complete. */
  ready(wantsAll: boolean): Promise<void>;
  read(from: number, count: number, reading: Reading): Promise<Result<'view.rows'>>;
  /** Line of a message; -1: not in the view. */
  indexOf(number: number): number;
  /** Message on a line, or the first one below it; undefined: there is none. */
  numberAt(position: number): number | undefined;
  close(): void;
}

/** Messages of which none has a number outside of these bounds. */
export interface Covered {
  readonly least: number;
  readonly most: number;
  has(number: number): boolean;
}

/** Rows of messages; undefined: the message was removed, and the lists have dropped it. */
export type RowsOf = (numbers: readonly number[]) => Promise<readonly (MessageRow | undefined)[]>;

/** How a view is read. */
export interface Reading {
  readonly rowsOf: RowsOf;
  /** Called right before the positions of the rows are taken, which may be more than once. */
  readonly beforeLook?: () => void;
}

/** Bounds of message numbers, both inclusive. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

const NONE: Bounds = { least: Infinity, most: -Infinity };

/** A row can be pruned between finding its number and reading it; then the range is read once more. */
const MAX_READS = 3;

export interface ViewDependencies {
  readonly viewId: string;
  readonly list: ViewList;
  readonly order: 'newest' | 'oldest';
  /** Releases the list. */
  readonly leave: () => void;
}

export class View implements OpenView {
  /** One view that is never freed, for the reason in last-made.ts. */
  static readonly kept = new View(
    { viewId: '', list: RunList.kept, order: 'newest', leave: () => undefined },
    0,
  );

  readonly #deps: ViewDependencies;
  readonly #asked = new AskedRange();
  /** The first message of that range, and its position as the client counts. */
  #first: { readonly number: number; readonly position: number } | undefined;
  /** Rows by which the range moved since the client was last notified. */
  #shift = 0;
  #appended = 0;
  #hasMoved = false;
  /** Changed messages whose rows are pushed with the next news. Some of them leave the pushed rows before that. */
  #changed = new Set<number>();
  /** Size of `#changed` above which those that have left are looked for. */
  #fewChanged = FEW_CHANGED;
  /** Bounds of the changed messages that the client holds and whose rows are not pushed. */
  #omitted = NONE;
  #total: number;
  #progress: string;
  /** False until the answer to `view.open` is sent: before that the client does not know the view. */
  #isAnnounced = false;
  lastUsedMs: number;

  constructor(deps: ViewDependencies, nowMs: number) {
    this.#deps = deps;
    this.#total = deps.list.total;
    this.#progress = JSON.stringify(deps.list.progress ?? null);
    this.lastUsedMs = nowMs;
  }

  get viewId(): string {
    return this.#deps.viewId;
  }

  get list(): ViewList {
    return this.#deps.list;
  }

  get total(): number {
    return this.list.total;
  }

  get progress(): Progress | undefined {
    return this.list.progress;
  }

  /** Resolves at once, because the list of a plain view is ready before the view is. */
  async ready(): Promise<void> {}

  async read(from: number, count: number, { rowsOf, beforeLook }: Reading): Promise<Result<'view.rows'>> {
    for (let read = 1; ; read += 1) {
      beforeLook?.();
      const numbers = this.#look(from, count);
      const { total } = this;
      const rows = await rowsOf(numbers);
      const found = rows.filter((row) => row !== undefined);
      const next = rows.length < numbers.length ? from + rows.length : undefined;
      if (found.length === rows.length || read === MAX_READS) {
        this.#asked.answered(next);
        return { rows: found, total, ...withoutUndefined({ next }) };
      }
    }
  }

  /** Sets the window to these positions; returns the numbers in it. */
  #look(from: number, count: number): readonly number[] {
    const isNew = this.#asked.ask(from, count);
    const { total } = this.list;
    const numbers: number[] = [];
    for (let position = from; position < Math.min(total, from + count); position += 1) {
      const number = this.list.at(this.#flip(position, total));
      if (number !== undefined) numbers.push(number);
    }
    const [number] = numbers;
    if (isNew) this.#first = number === undefined ? undefined : { number, position: from };
    return numbers;
  }

  /** Rows before the range that the client asked for came or went, so the range moved. With the newest first each new message moves it. */
  #follow(): void {
    if (this.#first === undefined || this.#deps.order !== 'oldest') return;
    const { number, position } = this.#first;
    const now = firstNotBelow(this.list, number);
    if (now === position) return;
    this.#shift += now - position;
    this.#asked.shift(now - position);
    this.#first = { number, position: now };
  }

  indexOf(number: number): number {
    const index = this.list.indexOf(number);
    return index === -1 ? -1 : this.#flip(index, this.total);
  }

  numberAt(position: number): number | undefined {
    return this.list.at(this.#flip(position, this.total));
  }

  covered(): Covered {
    const { list } = this;
    return { ...this.#askedBounds(), has: (number) => list.indexOf(number) !== -1 };
  }

  /** Lowest and highest number of a message in the range that the client asked for. */
  #askedBounds(): Bounds {
    const { total } = this.list;
    const { from, to } = this.#asked.within(total);
    if (from >= to) return NONE;
    const one = this.list.at(this.#flip(from, total)) ?? Infinity;
    const other = this.list.at(this.#flip(to - 1, total)) ?? -Infinity;
    return one < other ? { least: one, most: other } : { least: other, most: one };
  }

  note({ appended, hasMoved, touched }: ListChange): void {
    this.#appended += appended;
    this.#hasMoved ||= hasMoved;
    if (hasMoved) this.#follow();
    this.#noteChanged(touched);
    if (this.#changed.size <= this.#fewChanged) return;
    this.#dropUnpushed();
    this.#fewChanged = 2 * this.#changed.size + FEW_CHANGED;
  }

  #noteChanged(touched: readonly number[]): void {
    const { list } = this;
    const { total } = list;
    const pushed = list.at(total - PUSHED_NEWEST) ?? -Infinity;
    const held = list.at(total - NEWEST_ROWS) ?? -Infinity;
    const { least, most } = this.#askedBounds();
    for (const number of touched) {
      const isOmitted = number >= this.#omitted.least && number <= this.#omitted.most;
      // Under load nearly all are neither shown nor pushed, and a comparison costs less than a search.
      if (number < pushed && (number < held || isOmitted) && (number < least || number > most)) continue;
      const index = list.indexOf(number);
      if (index === -1) continue;
      if (number >= pushed || this.#isInRange(index)) this.#changed.add(number);
      else if (number >= held) this.#omit(number);
    }
  }

  #omit(number: number): void {
    const { least, most } = this.#omitted;
    if (number >= least && number <= most) return;
    this.#omitted = { least: Math.min(least, number), most: Math.max(most, number) };
  }

  /** Takes the messages out of the changed ones whose rows are pushed no longer. */
  #dropUnpushed(): void {
    for (const number of this.#changed) {
      if (this.#isPushed(number)) continue;
      this.#changed.delete(number);
      if (this.list.indexOf(number) !== -1) this.#omit(number);
    }
  }

  /** Whether a row may be pushed. A message not yet compared with the filter may still become one of the newest. */
  mayPush(number: number): boolean {
    const { list } = this;
    if (list.indexOf(number) !== -1) return this.#isPushed(number);
    return number > (list.at(list.total - PUSHED_NEWEST) ?? 0);
  }

  get needsEachChange(): boolean {
    return false;
  }

  get leastShown(): number {
    return this.leastPushed;
  }

  get leastPushed(): number {
    const { list } = this;
    return Math.min(list.at(list.total - PUSHED_NEWEST) ?? -Infinity, this.covered().least);
  }

  /** Whether the client has to be notified. */
  get isNews(): boolean {
    const { total, progress } = this.list;
    const isOther = this.#total !== total || this.#progress !== JSON.stringify(progress ?? null);
    const isChanged = this.#changed.size > 0 || this.#omitted !== NONE;
    return this.#isAnnounced && (this.#appended > 0 || this.#hasMoved || isChanged || isOther);
  }

  /** Called with the answer to `view.open`, which has the present state: only later changes are news. */
  settle(): void {
    this.#appended = 0;
    this.#hasMoved = false;
    this.#shift = 0;
    this.#changed = new Set();
    this.#fewChanged = FEW_CHANGED;
    this.#omitted = NONE;
    this.#total = this.list.total;
    this.#progress = JSON.stringify(this.list.progress ?? null);
  }

  announce(): void {
    this.#isAnnounced = true;
  }

  /** Changed messages whose rows are pushed: those in the last range asked for, and the newest. */
  wanted(): readonly number[] {
    this.#dropUnpushed();
    return [...this.#changed];
  }

  /** Changes since the last call; rows that `rowOf` does not have follow with the next news. */
  news(rowOf: (number: number) => MessageRow | undefined): ViewChanged {
    const { list, viewId } = this.#deps;
    const { total, progress } = list;
    const later: number[] = [];
    const rows = this.wanted().flatMap((number) => {
      const row = rowOf(number);
      if (row === undefined) later.push(number);
      return row === undefined ? [] : [{ index: this.#flip(list.indexOf(number), total), row }];
    });
    const changed: ViewChanged = {
      viewId,
      total,
      appended: this.#appended,
      rows: rows.toSorted((a, b) => a.index - b.index),
      ...this.#omittedRange(),
      ...(this.#hasMoved ? { moved: true } : {}),
      ...(this.#shift === 0 ? {} : { shift: this.#shift }),
      ...withoutUndefined({ progress }),
    };
    this.settle();
    for (const number of later) this.#changed.add(number);
    return changed;
  }

  close(): void {
    this.#deps.leave();
  }

  #isPushed(number: number): boolean {
    const index = this.list.indexOf(number);
    if (index === -1) return false;
    return index >= this.list.total - PUSHED_NEWEST || this.#isInRange(index);
  }

  #isInRange(index: number): boolean {
    return this.#asked.has(this.#flip(index, this.list.total));
  }

  /** Range of changed rows among the newest 2,000 that are not pushed. */
  #omittedRange(): Pick<ViewChanged, 'omitted'> {
    const { list } = this;
    const { least, most } = this.#omitted;
    const [first, end] = [firstNotBelow(list, least), firstNotBelow(list, most + 1)];
    if (first >= end) return {};
    const ends = [this.#flip(first, list.total), this.#flip(end - 1, list.total)];
    return { omitted: { from: Math.min(...ends), count: end - first } };
  }

  #flip(index: number, total: number): number {
    return this.#deps.order === 'oldest' ? index : total - 1 - index;
  }
}
