/** The lists behind all views: messages of the history, matches per filter, cached rows. They exist only while a view is open. */
import type { MessageRow } from '../../contract/message.ts';
import { errorText } from '../../contract/error-text.ts';
import { MAX_DELIVERIES } from '../../contract/page-bounds.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import type { NotedEvent } from '../../runtime/api.ts';
import type { Batch, Batcher } from '../stream/batcher.ts';
import { Flood } from '../stream/flood.ts';
import { KeptMessages } from './kept-messages.ts';
import { LateChanges } from './late-changes.ts';
import { MatchList } from './match-list.ts';
import type { ListChange } from './match-list.ts';
import { readAfter } from './read-after.ts';
import type { ReadForViews } from './read-after.ts';
import { changedRow, RowCache } from './row-cache.ts';
import type { ViewList, Watcher } from './view.ts';

/** Maximum number of filters evaluated at the same time, over all connections. */
const MAX_LISTS = 100;
/** Rows that are read together: each may have thousands of deliveries. */
const ROWS_AT_ONCE = 100;

export interface ViewListsDependencies {
  readonly journal: Journal;
  readonly batcher: Batcher;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves true when the journal has all earlier changes; false as soon as it refuses them for now. */
  readonly caughtUp: () => Promise<boolean>;
  /** Whether some client reads events about messages that no view shows. */
  readonly readsAll: () => boolean;
}

/** A list with the views that show it. */
interface Shared {
  readonly list: ViewList;
  readonly matches?: MatchList;
  readonly views: Set<Watcher>;
}

export class ViewLists {
  readonly #deps: ViewListsDependencies;
  readonly #byFilter = new Map<string, Shared>();
  readonly #cache = new RowCache();
  /** Number of the last event that the cached rows include. */
  #cachedTo = 0;
  /** Called when views have news: `true` with a batch, `false` in between. */
  readonly #listeners = new Set<(inRhythm: boolean) => void>();
  readonly #read: ReadForViews;
  #kept: KeptMessages | undefined;
  /** The last numbers of the history that a view needed. They stay when it is closed, for the reason in last-made.ts. */
  lastKept: KeptMessages | undefined;
  #late: LateChanges | undefined;
  readonly #flood = new Flood();
  #isFlood = false;
  /** Number of the newest message whose row a client may have. */
  #givenTo = 0;
  /** Whether events about newer messages than that are only counted. */
  #isCounting = false;
  /** Number of the last event when that ended: the ring may have older ones about a message and lack newer ones. */
  #countedTo = 0;
  #leave: (() => void) | undefined;

  constructor(deps: ViewListsDependencies) {
    this.#deps = deps;
    this.#read = readAfter(deps.journal, deps.caughtUp);
  }

  /** Number of the last event that the lists include. */
  get sequence(): number {
    return this.#deps.batcher.sentTo;
  }

  /** Whether messages change faster than anybody can read their rows. */
  get isFlood(): boolean {
    return this.#isFlood;
  }

  /** Number of lists, including the unfiltered one. */
  get size(): number {
    return this.#byFilter.size;
  }

  /** Number of the newest message in the history; 0: it is empty, or no view is open. */
  get newest(): number {
    return this.#kept?.last ?? 0;
  }

  onNews(listener: (inRhythm: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The list of a filter for one more view, which `join` creates. Throws Refusal TOO_LARGE if too many filters are evaluated.
   * @param text key of the filter; "" is no condition
   */
  enter<V extends Watcher>(
    text: string,
    filter: Filter,
    join: (list: ViewList, leave: () => void) => V,
  ): Entered<V> {
    const kept = this.#start();
    const key = filter.isEmpty ? '' : text;
    let shared = this.#byFilter.get(key);
    if (shared === undefined) {
      if (this.#byFilter.size >= MAX_LISTS) {
        const reason = `At most ${MAX_LISTS} different filters are evaluated at a time.`;
        throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_LISTS} filters` });
      }
      shared = filter.isEmpty ? { list: kept, views: new Set() } : this.#match(filter, kept);
      this.#byFilter.set(key, shared);
    }
    const { list, matches, views } = shared;
    const view: V = join(list, () => this.#exit(key, view));
    views.add(view);
    this.#countNew(this.#isCounting && this.#mayCount);
    return {
      view,
      ready: async (wantsAll) => {
        await kept.ready;
        await matches?.settled(wantsAll);
      },
    };
  }

  /** The row of a message with all batched events; undefined: call `fetch` first. */
  row(number: number): MessageRow | undefined {
    this.#keepRows();
    return this.#cache.get(number);
  }

  /** Number of the event's message, if known. */
  numberOf(event: NotedEvent): number | undefined {
    if (event.number === undefined && event.messageId !== undefined) this.#keepRows();
    return this.#cache.numberOf(event);
  }

  /**
   * Present rows of these messages; removed messages leave the lists and are undefined here. Only the first ones, but at least one, where
   * they have too many deliveries for one answer.
   */
  async rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    const included = await this.#give();
    const rows: (MessageRow | undefined)[] = [];
    let deliveries = 0;
    for (let at = 0; at < numbers.length && deliveries < MAX_DELIVERIES; at += ROWS_AT_ONCE)
      for (const row of await this.#fromJournal(numbers.slice(at, at + ROWS_AT_ONCE))) {
        if (deliveries >= MAX_DELIVERIES) break;
        rows.push(row);
        deliveries += row?.deliveries.length ?? 0;
      }
    return this.#upToDate(rows, included);
  }

  /** Number of a message in the history. */
  async numberById(messageId: string): Promise<number | undefined> {
    return (await this.#deps.journal.get(messageId))?.row.number;
  }

  /** One slice of a filter over the history. */
  scan(query: Parameters<Journal['scan']>[0]): ReturnType<Journal['scan']> {
    return this.#read.scan(query);
  }

  /** Summaries of messages from the journal. */
  summaries(...asked: Parameters<Journal['summaries']>): ReturnType<Journal['summaries']> {
    return this.#read.summaries(...asked);
  }

  /** Values of messages in a column, from the journal. */
  columnValues(...asked: Parameters<Journal['columnValues']>): ReturnType<Journal['columnValues']> {
    return this.#read.columnValues(...asked);
  }

  /** Notifies the client of a view about news without an event. */
  notify(): void {
    this.#notify(false);
  }

  /** Logs why a view could not be updated. */
  failed(error: unknown): void {
    this.#failed(error);
  }

  /** Loads the rows of these messages for `row`. */
  async fetch(numbers: readonly number[]): Promise<void> {
    this.#keepRows();
    const absent = numbers.filter((number) => this.#cache.get(number) === undefined);
    if (absent.length === 0) return;
    const included = await this.#give();
    for (const row of this.#upToDate(await this.#fromJournal(absent), included)) {
      if (row !== undefined && this.#cache.get(row.number) === undefined) this.#cache.put(row);
    }
  }

  #start(): KeptMessages {
    if (this.#leave === undefined) {
      this.#leave = this.#deps.batcher.listenFirst((batch) => this.#take(batch));
      this.#cachedTo = this.sequence;
    }
    this.#deps.batcher.flush();
    this.#late ??= new LateChanges({ ...this.#deps, again: (touched) => this.#again(touched) });
    void this.#late.noteAll();
    this.#kept ??= new KeptMessages({
      journal: this.#deps.journal,
      clock: this.#deps.clock,
      onRemoved: () => this.#removed(),
      onFailure: (error) => this.#failed(error),
    });
    this.lastKept = this.#kept;
    return this.#kept;
  }

  #match(filter: Filter, kept: KeptMessages): Shared {
    const views = new Set<Watcher>();
    const matches = new MatchList({
      journal: this.#read,
      clock: this.#deps.clock,
      kept,
      filter,
      onChange: (change) => {
        for (const view of views) view.note(change);
        this.#notify(false);
      },
      onFailure: (error) => this.#failed(error),
    });
    return { list: matches, matches, views };
  }

  #exit(key: string, view: Watcher): void {
    const shared = this.#byFilter.get(key);
    if (shared === undefined || !shared.views.delete(view) || shared.views.size > 0) return;
    shared.matches?.close();
    this.#byFilter.delete(key);
    if (this.#byFilter.size > 0) return;
    this.#kept?.close();
    this.#kept = undefined;
    this.#late?.close();
    this.#late = undefined;
    this.#countNew(false);
    this.#isFlood = false;
    this.#cache.clear();
    this.#leave?.();
    this.#leave = undefined;
  }

  #take(batch: Batch): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#isFlood = this.#flood.isOn(this.#deps.clock.now(), batch.to);
    const touched: number[] = [];
    const unknown = new Set<string>();
    let appended = 0;
    let hasMoved = false;
    let last: number | undefined;
    const note = (number: number, isRow: boolean): void => {
      // A message often has several events in a row. A set of their numbers would cost more than a number that is listed twice.
      if (number !== last) touched.push(number);
      last = number;
      const added = isRow ? kept.add(number) : 'known';
      if (added === 'appended') appended += 1;
      else if (added === 'inserted') hasMoved = true;
    };
    this.#deps.batcher.visit(batch, (event) => {
      if (event.type === 'messages.pruned') this.#pruned(kept, event);
      if (event.messageId === undefined) return;
      const number = event.number ?? this.numberOf(event);
      if (number === undefined) {
        unknown.add(event.messageId);
        return;
      }
      note(number, event.type === 'message.added');
    });
    for (const number of batch.counted) note(number, true);
    this.#note({ appended, hasMoved, touched });
    void this.#late?.note(touched);
    if (unknown.size > 0) void this.#lookUp([...unknown]);
    this.#giveUp();
    this.#countNew(this.#mayCount);
    this.#notify(true);
  }

  /**
   * In a flood, events about messages whose rows nobody was given are only counted: nine of ten messages are never shown, and those that are have
   * their rows from the journal.
   */
  #countNew(mayCount: boolean): void {
    const { batcher } = this.#deps;
    if (!this.#isCounting) this.#givenTo = this.newest;
    const isCounting = batcher.countFrom(mayCount ? this.#givenTo + 1 : Infinity);
    if (this.#isCounting && !isCounting) {
      this.#countedTo = batcher.newest;
      this.#cache.clear();
      this.#cachedTo = batcher.sentTo;
    }
    this.#isCounting = isCounting;
  }

  get #mayCount(): boolean {
    const { journal, readsAll } = this.#deps;
    if (journal.durable || !this.#isFlood || readsAll()) return false;
    for (const { matches, views } of this.#byFilter.values()) {
      if (matches !== undefined) return false;
      for (const view of views) if (view.needsEachChange) return false;
    }
    return true;
  }

  /**
   * Rows are about to be read from the journal for a client: later changes of these messages are events again.
   * @returns number of the last event that the journal includes for certain
   */
  async #give(): Promise<number> {
    const { newest, oldest } = this.#deps.batcher;
    if (this.#isCounting) {
      this.#givenTo = this.newest;
      this.#countNew(this.#mayCount);
    } else if (this.#countedTo < oldest) return 0;
    await this.#late?.noteAll();
    return newest;
  }

  /**
   * Gives up what events say about messages that no client shows, in a flood: the ring would keep their records for a tenth of a second, just
   * long enough to be copied by the garbage collector. Only where the journal has the latest rows at once.
   */
  #giveUp(): void {
    const { journal, batcher, readsAll } = this.#deps;
    if (journal.durable || !this.#isFlood || readsAll()) return;
    let least = Infinity;
    for (const { views } of this.#byFilter.values())
      for (const view of views) least = Math.min(least, view.leastShown);
    batcher.giveUp(least);
  }

  #pruned(kept: KeptMessages, noted: NotedEvent): void {
    const event = noted.read();
    if (event.type === 'messages.pruned') kept.pruned(event.count, event.beforeSequence);
  }

  /**
   * Updates the cached rows to the last batch. It runs only when a row is needed: under load most rows have left the newest ones by then
   * and need not be built. Changed rows that no view may push are dropped, because they are out of date, and so are all where the ring has lost
   * events: then only messages whose rows the ring still has as they were added come in again.
   */
  #keepRows(): void {
    const { batcher } = this.#deps;
    const { sentTo } = batcher;
    const from = this.#cachedTo;
    if (from >= sentTo) return;
    this.#cachedTo = sentTo;
    const shown = new Map<number, boolean>();
    const least = this.#leastPushed();
    let forgotten: number | undefined;
    if (from + 1 < batcher.oldest) this.#cache.clear();
    batcher.visit({ from: from + 1, to: sentTo }, (event) => {
      const number = this.#cache.numberOf(event);
      if (number === undefined || number === forgotten) return;
      // The ring does not have all events about it.
      if (this.#isCounting && number > this.#givenTo) return;
      if (number < least) {
        this.#cache.forget(number);
        forgotten = number;
        return;
      }
      let isShown = shown.get(number);
      if (isShown === undefined) {
        isShown = this.#mayPush(number);
        shown.set(number, isShown);
        if (!isShown) this.#cache.forget(number);
      }
      if (!isShown) return;
      // A view may have come to the message since then; the journal has its row.
      if (event.isGivenUp) this.#cache.forget(number);
      else this.#cache.apply(number, event.read());
    });
  }

  /** No view may push a message with a lower number. */
  #leastPushed(): number {
    let least = Infinity;
    for (const { views } of this.#byFilter.values())
      for (const view of views) least = Math.min(least, view.leastPushed);
    return least;
  }

  #mayPush(number: number): boolean {
    for (const { views } of this.#byFilter.values())
      for (const view of views) if (view.mayPush(number)) return true;
    return false;
  }

  async #fromJournal(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    const rows = await this.#deps.journal.rows(numbers);
    const missing = numbers.filter((_number, index) => rows[index] === undefined);
    if (missing.length > 0 && (await this.#drop(missing))) this.#removed();
    return rows;
  }

  /** Drops messages that the history does not have, and those at its old end that it removed with them; gives whether any was in the lists. */
  async #drop(missing: readonly number[]): Promise<boolean> {
    const kept = this.#kept;
    if (kept === undefined) return false;
    const isFewer = kept.removeMissing(missing);
    return (await kept.dropOldest()) || isFewer;
  }

  /**
   * Applies recent events to the rows, because the journal may not have the last changes yet.
   * @param included number of an event up to which it has them
   */
  #upToDate(
    rows: readonly (MessageRow | undefined)[],
    included: number,
  ): readonly (MessageRow | undefined)[] {
    const byId = new Map(rows.map((row) => [row?.messageId, row]));
    const recent = this.#recentOf(
      rows.filter((row) => row !== undefined),
      included,
    );
    for (const event of recent.toReversed()) {
      const row = byId.get(event.messageId);
      if (row !== undefined) byId.set(row.messageId, changedRow(row, event.read()));
    }
    return rows.map((row) => byId.get(row?.messageId));
  }

  /** Events about these rows that the ring has, newest first, each row's as far back as the event that has all of the row. */
  #recentOf(rows: readonly MessageRow[], after: number): readonly NotedEvent[] {
    const wanted = new Set(rows.map(({ messageId }) => messageId));
    const numbers = rows.map(({ number }) => number);
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    const recent: NotedEvent[] = [];
    this.#deps.batcher.visitNewestFirst((event) => {
      const { number = least, messageId, sequence } = event;
      if (sequence <= after) return false;
      // Most of ten thousand events are about other messages, and a comparison costs less than a search for their ids.
      if (number < least || number > most || messageId === undefined || !wanted.has(messageId)) return true;
      if (!event.isGivenUp) recent.push(event);
      if (event.type === 'message.added') wanted.delete(messageId);
      return wanted.size > 0;
    });
    return recent;
  }

  /** Finds the numbers of messages that an event named by id only. */
  async #lookUp(messageIds: readonly string[]): Promise<void> {
    try {
      const found = await Promise.all(messageIds.map((messageId) => this.#deps.journal.get(messageId)));
      const touched = found.flatMap((message) => (message === undefined ? [] : [message.row.number]));
      this.#note({ appended: 0, hasMoved: false, touched });
      void this.#late?.note(touched);
      this.#notify(false);
    } catch (error) {
      this.#failed(error);
    }
  }

  #note(change: ListChange): void {
    for (const { matches, views } of this.#byFilter.values()) {
      if (matches === undefined) for (const view of views) view.note(change);
      else if (change.touched.length > 0) matches.touch(change.touched);
    }
  }

  /** Notifies views again about changes that the journal has now; undefined: any message may have changed. */
  #again(touched: readonly number[] | undefined): void {
    if (touched === undefined) for (const { matches } of this.#byFilter.values()) matches?.searchAgain();
    this.#note({ appended: 0, hasMoved: false, touched: touched ?? this.#recentNumbers() });
    this.#notify(false);
  }

  /** Numbers of the messages that the events in the ring are about. */
  #recentNumbers(): readonly number[] {
    const numbers = new Set<number>();
    this.#deps.batcher.visitNewestFirst((event) => {
      const number = this.#cache.numberOf(event);
      if (number !== undefined) numbers.add(number);
      return true;
    });
    return [...numbers];
  }

  #removed(): void {
    for (const { matches, views } of this.#byFilter.values()) {
      if (matches !== undefined) matches.retain();
      else for (const view of views) view.note({ appended: 0, hasMoved: true, touched: [] });
    }
    this.#notify(false);
  }

  #notify(inRhythm: boolean): void {
    for (const listener of this.#listeners) listener(inRhythm);
  }

  #failed(error: unknown): void {
    // When the runtime stops, the journal may close during a read; no client needs the answer.
    if (error instanceof JournalError && error.code === 'closed') return;
    const why = errorText(error);
    this.#deps.log.write('error', 'console', `Sidelight could not read the journal for a view: ${why}`);
  }
}

export interface Entered<V> {
  readonly view: V;
  /** Resolves when the list can be read; `wantsAll`: when the whole history was searched. */
  ready(wantsAll: boolean): Promise<void>;
}
