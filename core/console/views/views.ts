/** The views of one connection: opened, read by position, notified of changes. At most 20, closed with the connection. */
import type { Params, Result } from '../../contract/console.ts';
import { Refusal } from '../../domain/refusal.ts';
import { STREAM } from '../../contract/stream-bounds.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { NotedEvent } from '../../runtime/api.ts';
import { readFilter, readGroupBy, readSortBy } from './filter.ts';
import { findInView } from './find-in-view.ts';
import { GroupedView } from './groups/grouped-view.ts';
import { notification } from '../stream/pack.ts';
import { pauseAfter } from '../stream/frame-pause.ts';
import { roomInTurn } from '../stream/yield-to-others.ts';
import { ReadTurns } from './read-turns.ts';
import { SortedView } from './sorted-view.ts';
import { View } from './view.ts';
import type { OpenView } from './view.ts';
import type { ViewLists } from './view-lists.ts';

const MAX_VIEWS = 20;
/** Maximum number of grouped and sorted views of one connection. */
const MAX_LARGE = 4;
/** Idle time after which views without a connection are closed, because nothing else shows that their client has left. */
const IDLE_MS = 600_000;
export interface ViewSetDependencies {
  readonly lists: ViewLists;
  /** The lists of an imported recording. Throws Refusal NOT_FOUND. */
  readonly listsOf: (recordingId: string) => ViewLists;
  readonly clock: Clock;
  readonly nextId: () => string;
  /** undefined: nothing can be pushed to this client. */
  readonly push:
    | {
        readonly send: (text: string) => void;
        /** True while the client has not read enough of what was sent; changes are gathered meanwhile. */
        readonly isBlocked: () => boolean;
      }
    | undefined;
  readonly onFailure: (error: unknown) => void;
}

export class ViewSet {
  readonly #deps: ViewSetDependencies;
  readonly #views = new Map<string, OpenView>();
  /** Recording of each view, by view id. */
  readonly #recordings = new Map<string, string>();
  /** Lists with a listener, and the functions that remove it. */
  readonly #listening = new Map<ViewLists, () => void>();
  #timer: Cancel | undefined;
  #idleTimer: Cancel | undefined;
  readonly #turns = new ReadTurns();
  #isSending = false;
  #restsUntilMs = 0;
  #isClosed = false;

  constructor(deps: ViewSetDependencies) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#views.size;
  }

  /**
   * Opens a view. Throws Refusal FILTER_SYNTAX, INVALID_PARAMS (`groupBy`, `sortBy`), TOO_LARGE. Without push it waits until the whole
   * history was searched.
   */
  async open(
    { filter: text = '', order = 'newest', groupBy, sortBy, recordingId }: Params<'view.open'>,
    afterAnswer: (act: () => void) => void,
  ): Promise<Result<'view.open'>> {
    const facet = groupBy === undefined ? undefined : readGroupBy(groupBy);
    const sort = sortBy === undefined ? undefined : readSortBy(sortBy);
    if (facet !== undefined && sort !== undefined) {
      const reason = 'sortBy and groupBy cannot be combined: groups have an order of their own';
      throw new Refusal('INVALID_PARAMS', { reason }, { field: 'sortBy', expected: 'no groupBy beside it' });
    }
    const { clock, nextId, push } = this.#deps;
    const lists = this.#lists(recordingId);
    const filter = readFilter(text);
    this.#makeRoom(facet !== undefined || sort !== undefined);
    const { view, ready } = lists.enter<OpenView>(text, filter, (list, leave) => {
      const deps = { viewId: nextId(), list, order, leave };
      if (sort !== undefined) return new SortedView({ ...deps, sortBy: sort, lists }, clock);
      if (facet === undefined) return new View(deps, clock.now());
      return new GroupedView({ ...deps, facet, lists }, clock);
    });
    this.#views.set(view.viewId, view);
    if (recordingId !== undefined) this.#recordings.set(view.viewId, recordingId);
    this.#listen(lists);
    const { sequence } = lists;
    try {
      await ready(push === undefined);
      await view.ready(push === undefined);
      // Lists that many clients wait for are ready at the same moment.
      const room = roomInTurn();
      if (room !== undefined) await room;
    } catch (error) {
      this.#drop(view);
      throw error;
    }
    if (this.#isClosed) this.#drop(view);
    view.settle();
    afterAnswer(() => {
      view.announce();
      this.resume();
    });
    const { viewId, total, upTo, progress } = view;
    return { viewId, total, sequence, ...withoutUndefined({ upTo, progress }) };
  }

  /**
   * Reads rows. Throws Refusal NOT_FOUND. Positions beyond the end give no rows. The client is notified of the changes before the read in
   * front of its rows, and of those during it behind them, so that it counts positions as the rows do. A request waits for the answer of
   * the one before it that reads the view, unless it reads another view already. Only the first read of a batch has its changes in front
   * of it.
   */
  async rows(
    { viewId, from, count }: Params<'view.rows'>,
    afterAnswer: (act: () => void) => void,
  ): Promise<Result<'view.rows'>> {
    const { view, lists } = this.#readable(viewId);
    const rowsOf = (numbers: readonly number[]): ReturnType<typeof lists.rows> => lists.rows(numbers);
    if (this.#deps.push === undefined) return view.read(from, count, { rowsOf });
    const mayNotify = await this.#turns.take(viewId, afterAnswer, () => this.resume());
    // The view or its recording may have been closed while the read waited.
    this.#readable(viewId);
    if (!mayNotify) return view.read(from, count, { rowsOf });
    if (view.isNews) await lists.fetch(view.wanted());
    return view.read(from, count, { rowsOf, beforeLook: () => this.#notify(view, lists) });
  }

  /** Throws Refusal NOT_FOUND, FILTER_SYNTAX, INVALID_PARAMS (neither a message nor a filter). */
  find({ viewId, ...wanted }: Params<'view.find'>): Promise<Result<'view.find'>> {
    const { view, lists } = this.#readable(viewId);
    return findInView(view, lists, wanted, this.#deps.clock.now());
  }

  /** Throws Refusal NOT_FOUND; INVALID_PARAMS for a view that is not grouped. */
  expand({ viewId, groupId, open }: Params<'view.expand'>): Result<'view.expand'> {
    const view = this.#view(viewId);
    if (view instanceof GroupedView) return { total: view.expand(groupId, open) };
    const reason = 'viewId names a view that is not grouped';
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'viewId', expected: 'a view with groupBy' });
  }

  /** Throws Refusal NOT_FOUND. */
  close({ viewId }: Params<'view.close'>): null {
    this.#drop(this.#view(viewId));
    return null;
  }

  /**
   * For a stream of scope `views`: events of rows in a window, and those about no row; never a log line or an output. It holds for one batch:
   * with the bounds of the windows most events of a flood are told apart by one comparison.
   */
  shownNow(): (event: NotedEvent) => boolean {
    const windows = [...this.#views.values()]
      .filter(({ viewId }) => !this.#recordings.has(viewId))
      .map((view) => view.covered());
    return (event) => {
      if (event.type === 'log.added' || event.type === 'process.output') return false;
      if (event.messageId === undefined) return true;
      const number = event.number ?? this.#deps.lists.numberOf(event);
      // An event of an unknown message may belong to a window, and an extra event does no harm.
      if (number === undefined) return true;
      for (const window of windows)
        if (number >= window.least && number <= window.most && window.has(number)) return true;
      return false;
    };
  }

  /** Called when the client has room again. */
  resume(): void {
    void this.#send();
  }

  closeAll(): void {
    this.#isClosed = true;
    for (const view of [...this.#views.values()]) this.#drop(view);
  }

  /** A view with its lists. Throws Refusal NOT_FOUND for a view, or a recording, that was closed. */
  #readable(viewId: string): { readonly view: OpenView; readonly lists: ViewLists } {
    return { view: this.#view(viewId), lists: this.#lists(this.#recordings.get(viewId)) };
  }

  /** Throws Refusal NOT_FOUND for a recording that was closed. */
  #lists(recordingId: string | undefined): ViewLists {
    const { lists, listsOf } = this.#deps;
    return recordingId === undefined ? lists : listsOf(recordingId);
  }

  /** Lists of a view; undefined: its recording was closed, which the client learns when it reads. */
  #listsFor({ viewId }: OpenView): ViewLists | undefined {
    try {
      return this.#lists(this.#recordings.get(viewId));
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  #view(viewId: string): OpenView {
    const view = this.#views.get(viewId);
    if (view === undefined) {
      const reason = `There is no view ${viewId} on this connection.`;
      throw new Refusal('NOT_FOUND', { reason }, { field: 'viewId', expected: 'id of an open view' });
    }
    view.lastUsedMs = this.#deps.clock.now();
    return view;
  }

  /**
   * Makes room for one more view: refuses it, or over HTTP closes the view that was used least recently.
   * @param isLarge whether the new view stores data of each message
   */
  #makeRoom(isLarge: boolean): void {
    this.#makeRoomAmong([...this.#views.values()], MAX_VIEWS, 'views');
    if (!isLarge) return;
    const large = [...this.#views.values()].filter((view) => !(view instanceof View));
    this.#makeRoomAmong(large, MAX_LARGE, 'grouped or sorted views');
  }

  #makeRoomAmong(views: readonly OpenView[], most: number, what: string): void {
    if (views.length < most) return;
    if (this.#deps.push !== undefined) {
      const reason = `A connection has at most ${most} ${what}; close one first.`;
      throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${most} ${what}` });
    }
    const [oldest] = views.toSorted((one, other) => one.lastUsedMs - other.lastUsedMs);
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(view: OpenView): void {
    this.#views.delete(view.viewId);
    this.#recordings.delete(view.viewId);
    view.close();
    this.#turns.end(view.viewId);
    if (this.#views.size > 0) return;
    for (const stop of this.#listening.values()) stop();
    this.#listening.clear();
    this.#timer?.();
    this.#timer = undefined;
    this.#idleTimer?.();
    this.#idleTimer = undefined;
  }

  #listen(lists: ViewLists): void {
    const { clock, push } = this.#deps;
    if (push !== undefined) {
      if (!this.#listening.has(lists))
        this.#listening.set(
          lists,
          lists.onNews((inRhythm) => this.#news(inRhythm)),
        );
    } else this.#idleTimer ??= clock.at(clock.now() + IDLE_MS, () => this.#closeIdle());
  }

  #closeIdle(): void {
    const { clock } = this.#deps;
    this.#idleTimer = undefined;
    for (const view of [...this.#views.values()]) {
      if (clock.now() - view.lastUsedMs >= IDLE_MS) this.#drop(view);
    }
    if (this.#views.size > 0) this.#listen(this.#deps.lists);
  }

  #news(inRhythm: boolean): void {
    if (inRhythm) void this.#send();
    else this.#sendLater();
  }

  #sendLater(): void {
    const { clock } = this.#deps;
    this.#timer ??= clock.at(Math.max(this.#restsUntilMs, clock.now() + STREAM.batchMs), () => {
      this.#timer = undefined;
      void this.#send();
    });
  }

  /** Whether a view has news that may be sent now: those of a view that is being read follow its rows. */
  #mayNotify(view: OpenView): boolean {
    return view.isNews && !this.#turns.isRead(view.viewId);
  }

  /** Notifies the client of the news of a view, if there are any. */
  #notify(view: OpenView, lists: ViewLists): void {
    const { push, clock } = this.#deps;
    if (push === undefined || !view.isNews) return;
    const changed = view.news((number) => lists.row(number));
    const pauseMs = pauseAfter(Math.max(changed.appended, changed.rows.length), lists.isFlood);
    this.#restsUntilMs = Math.max(this.#restsUntilMs, clock.now() + pauseMs);
    push.send(notification('view.changed', changed));
  }

  /** Notifies the client of every view with news; later changes follow in the next notification. */
  async #send(): Promise<void> {
    const { push, onFailure, clock } = this.#deps;
    if (push === undefined || this.#isSending) return;
    if (clock.now() < this.#restsUntilMs) return this.#sendLater();
    this.#isSending = true;
    try {
      for (const view of [...this.#views.values()]) {
        if (!this.#mayNotify(view) || push.isBlocked()) continue;
        const lists = this.#listsFor(view);
        if (lists === undefined) continue;
        await lists.fetch(view.wanted());
        if (this.#views.has(view.viewId) && this.#mayNotify(view) && !push.isBlocked())
          this.#notify(view, lists);
      }
      // A view may have news since the client was notified of another one.
      const isMore = [...this.#views.values()].some(
        (view) => this.#mayNotify(view) && this.#listsFor(view) !== undefined,
      );
      if (isMore && !push.isBlocked()) this.#sendLater();
    } catch (error) {
      onFailure(error);
    } finally {
      this.#isSending = false;
    }
  }
}
