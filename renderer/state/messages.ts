/** The message list: a window over one view of the host, with follow, pause, unread and selection. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConsoleEvent, Result, ViewChanged } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { viewRows } from '../../core/contract/view-rows.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { isByTime } from '../format/groups.ts';
import { payloadVersion } from '../format/preview.ts';
import { createUnread } from './unread.ts';
import { asFailure } from './resource.ts';
import {
  FIRST,
  type Messages,
  type MessagesState,
  type SelectionChange,
  type Sort,
  type UpTo,
} from './messages-state.ts';
import { OpenGroups } from './open-groups.ts';
import { OwnColumns } from './column-values.ts';
import { Previews } from './previews.ts';
import { MAX_ROWS, type RowRange } from './read-ahead.ts';
import { emptiesSight, removedBy, sightAfter } from './removal.ts';
import { RowWindow, withDelivery } from './row-window.ts';
import { allAfter, allIds, idsBetween, loadedBetween, selectedCount, selectionAfter } from './selection.ts';
import { createFrameQueue, type FrameQueue, type NextFrame } from './store.ts';
import { unwatched, type Watched } from './watched-rows.ts';

export type { Messages } from './messages-state.ts';

type Change = { readonly view: ViewChanged } | { readonly event: ConsoleEvent };

/** Grouping of messages of the same kind within a second. */
const REPEATS = 'repeats';
/** Rows that are loaded on each side of the row to which a person jumps. */
const AROUND = 50;
/** Rows on either side of the start of a view that are read before it replaces the old one. */
const FIRST_ROWS = 60;
/** Time that rows may be in sight before the host watches them. */
const WATCH_MS = 200;
/** Maximum number of tries to read the first rows of a search that finds more meanwhile. */
const MAX_TRIES = 10;

type Gap = NonNullable<ReturnType<RowWindow['missing']>>;

/** State that the functions of one list share. */
interface List {
  readonly rpc: RpcClient;
  readonly store: StoreApi<MessagesState>;
  readonly rows: RowWindow;
  readonly own: OwnColumns;
  readonly previews: Previews;
  /** The open view of the host. */
  viewId: string | undefined;
  /** A view whose first rows are being read, and its changes meanwhile. */
  coming: { readonly viewId: string; readonly changes: ViewChanged[] } | undefined;
  /** The row that keeps its position when another view opens. */
  eye: string | undefined;
  /** Whether the list followed its newest rows before it was sorted. */
  followed: boolean;
  asked: Messages['asked'];
  /** Number of changes of the selection: an answer of the host counts only for the last one. */
  selects: number;
  /** Range that is drawn, whose rows are loaded. */
  wanted: RowRange;
  /** Part of that range that is loaded first. */
  first: RowRange;
  /** Part of that range that is in sight. */
  sight: RowRange;
  /** The range that the host was asked for last: it reports changes of these rows, and of the newest. */
  watched: Watched | undefined;
  /** The last read of rows, and its view. */
  reading: { readonly viewId: string; readonly ends: Promise<unknown> } | undefined;
  /** Changes that wait for the rows that they bring into sight. */
  late: Change[];
  /** Reports changed rows, with other changes of the state. */
  touch(more?: Partial<MessagesState>): void;
}

function createList(rpc: RpcClient): List {
  const store = createStore<MessagesState>(() => FIRST);
  const rows = new RowWindow();
  const list: List = {
    rpc,
    store,
    rows,
    own: new OwnColumns(rpc, () => list.touch()),
    previews: new Previews(rpc),
    viewId: undefined,
    coming: undefined,
    eye: undefined,
    followed: false,
    asked: { filter: '', groupBy: '', sort: undefined },
    selects: 0,
    wanted: { from: 0, to: 0 },
    first: { from: 0, to: 0 },
    sight: { from: 0, to: 0 },
    watched: undefined,
    reading: undefined,
    late: [],
    touch(more = {}) {
      store.setState((state) => {
        const next = { ...state, ...more };
        const isSearched = state.progress !== undefined || next.progress !== undefined;
        return {
          ...more,
          // Rows that were loaded since are selected too, but not those that came since.
          ...(next.allSelected && allAfter(next, rows, isSearched)),
          version: state.version + 1,
        };
      });
    },
  };
  return list;
}

/** Closes a view, unless its connection has closed it already. */
function close(rpc: RpcClient, gone: string): void {
  rpc.call('view.close', { viewId: gone }).catch(() => undefined);
}

function newestOf({ getState }: List['store'], more: readonly MessageRow[]): number {
  return more.reduce((high, row) => Math.max(high, row.number), getState().newestNumber);
}

interface OpeningDependencies {
  readonly groups: OpenGroups;
  readonly ensure: Messages['ensure'];
  /** Drops waiting changes of the old view. */
  readonly forgetChanges: () => void;
}

/** A view that the host has opened. */
interface Coming {
  readonly viewId: string;
  readonly total: number;
  readonly progress?: MessagesState['progress'];
  readonly groupBy: string;
  readonly hasOpenGroups: boolean;
  readonly sort: Sort | undefined;
  /** Highest number that a message of a sorted view can have. */
  readonly upTo?: number | undefined;
  /** Messages that came since the view was opened. */
  readonly appended: number;
}

/** Rows of a view, from a line on. */
interface FirstRows {
  readonly from: number;
  readonly to: number;
  readonly answer: Result<'view.rows'>;
}

/**
 * Whether a view in the order of time is still being searched; rows that are found are then before the
 * others.
 */
function growsAtItsBeginning(view: Pick<Coming, 'groupBy' | 'sort' | 'progress'>): boolean {
  return view.groupBy === '' && view.sort === undefined && view.progress !== undefined;
}

/**
 * Reads rows of a view, in several answers where they have very many deliveries. The host sends the changes before a read in front of its
 * rows, if it reads the view only once at a time.
 */
async function rowsOf(
  list: List,
  viewId: string,
  from: number,
  count: number,
): Promise<Awaited<ReturnType<typeof viewRows>>> {
  while (list.reading?.viewId === viewId) await list.reading.ends;
  list.watched = { viewId, from, to: from + count };
  const read = viewRows((range) => list.rpc.call('view.rows', { viewId, ...range }), { from, count });
  const reading = { viewId, ends: Promise.allSettled([read]) };
  list.reading = reading;
  try {
    return await read;
  } finally {
    if (list.reading === reading) list.reading = undefined;
  }
}

/**
 * Reads the first rows of a view: around the row that keeps its position, else the newest, or the first of a
 * view that is not by time.
 */
async function firstRows(list: List, coming: Omit<Coming, 'appended'>): Promise<FirstRows> {
  const { rpc, store, eye } = list;
  const { viewId, groupBy, sort } = coming;
  const isFromEnd = isByTime(groupBy) && sort === undefined;
  const keepsPlace = eye !== undefined && groupBy === '' && isFromEnd && !store.getState().follow;
  const find = async (): Promise<number | undefined> =>
    keepsPlace ? (await rpc.call('view.find', { viewId, messageId: eye }))?.index : undefined;
  let place = await find();
  let { total } = coming;
  for (let tries = 1; ; tries += 1) {
    const at = place ?? (isFromEnd ? total : 0);
    const from = Math.max(0, at - FIRST_ROWS);
    const to = Math.max(from + 1, Math.min(total, at + FIRST_ROWS));
    const answer = await rowsOf(list, viewId, from, to - from);
    // The search found more while its newest rows were read, so they are further down now.
    const isPassed = growsAtItsBeginning(coming) && answer.total > total;
    // The oldest rows left while the row that keeps its place was found, so it is further up now.
    const isLost = place !== undefined && !answer.rows.some(({ messageId }) => messageId === eye);
    if ((!isPassed && !isLost) || tries === MAX_TRIES) return { from, to, answer };
    if (isLost) place = await find();
    ({ total } = answer);
  }
}

/** State that stays if the view that is shown is opened again; with another filter or grouping it ends. */
interface Stays {
  /** A paused list stays paused. */
  readonly paused?: boolean;
  /** Ticked rows stay ticked. */
  readonly ticks?: boolean;
}

type Open = (filter: string, groupBy?: string, sort?: Sort, stays?: Stays) => Promise<void>;

/** Replaces the shown view by another one with its first rows. */
function replaceView(list: List, coming: Coming, first: FirstRows, filter: string, stays: Stays): void {
  const { rows, store } = list;
  const { viewId, groupBy, hasOpenGroups, sort, progress, appended } = coming;
  const { total } = first.answer;
  const was = store.getState();
  const isSameList = was.filter === filter && was.groupBy === groupBy;
  // A list that was sorted is paused by that alone.
  const staysPaused = stays.paused === true && isSameList && was.paused && was.sort === undefined;
  const staysTicked = stays.ticks === true && isSameList;
  list.viewId = viewId;
  rows.clear();
  rows.total = total;
  rows.take(first.from, first.answer);
  list.wanted = { from: first.from, to: first.to };
  list.first = list.wanted;
  list.sight = list.wanted;
  list.touch({
    status: 'ready',
    isOpening: false,
    failure: undefined,
    filter,
    groupBy,
    hasOpenGroups,
    // Groups are shown from the first on, the order of time from the newest.
    ...(groupBy === was.groupBy
      ? {}
      : { follow: isByTime(groupBy) && sort === undefined, current: undefined }),
    total,
    // A sorted list does not show them.
    newer: sort === undefined ? 0 : appended,
    seen: 0,
    newestNumber: newestOf(store, first.answer.rows),
    progress,
    // A sorted list is a snapshot, so it stays paused.
    paused: sort !== undefined || staysPaused,
    sort,
    sortedAt: sort === undefined ? 0 : Date.now(),
    sortedUpTo: coming.upTo ?? 0,
    ...(staysTicked
      ? { later: Math.max(0, total - selectedCount(was)) }
      : { selected: new Set<string>(), allSelected: false }),
  });
}

/** Opens views; the last request wins. */
function openingOf(list: List, { groups, ensure, forgetChanges }: OpeningDependencies): Open {
  const { rpc, store } = list;
  let opening = 0;
  return async (filter, groupBy = '', sort, stays = {}) => {
    opening += 1;
    const mine = opening;
    const before = list.viewId;
    list.asked = { filter, groupBy, sort };
    const { status, filter: shown } = store.getState();
    store.setState({
      isOpening: filter !== shown,
      ...(status === 'ready' ? {} : { status: 'loading' as const }),
    });
    try {
      const grouped = groupBy === '' ? {} : { groupBy };
      const sorted = sort === undefined ? {} : { sortBy: sort.by };
      const order = sort?.isDown === true ? 'newest' : 'oldest';
      const view = await rpc.call('view.open', { filter, order, ...grouped, ...sorted });
      const changes: ViewChanged[] = [];
      if (mine === opening) list.coming = { viewId: view.viewId, changes };
      if (mine === opening && groupBy !== store.getState().groupBy) groups.forget();
      const isRestored = groupBy !== '' && mine === opening;
      const total = isRestored ? await groups.restore(view.viewId, view.total) : view.total;
      const coming = { ...view, total, groupBy, hasOpenGroups: groups.isAny, sort };
      // The old view stays until the new one has rows, so that no line is empty and a refused filter changes
      // nothing.
      const first = mine === opening ? await firstRows(list, coming) : undefined;
      // Another view was requested meanwhile, so this one is closed.
      if (mine !== opening || first === undefined) return close(rpc, view.viewId);
      list.coming = undefined;
      forgetChanges();
      // The rows were read after the changes that came before them.
      const { progress } = changes.at(-1) ?? view;
      const appended = changes.reduce((sum, change) => sum + change.appended, 0);
      replaceView(list, { ...coming, progress, appended }, first, filter, stays);
      ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
      if (before !== undefined) close(rpc, before);
    } catch (reason) {
      if (mine !== opening) return;
      list.coming = undefined;
      const failure = asFailure(reason);
      if (failure.code === 'CONNECTION_LOST') return;
      const kept = list.viewId !== undefined && failure.code === 'FILTER_SYNTAX';
      store.setState({ isOpening: false, failure, ...(kept ? {} : { status: 'failed' as const }) });
    }
  };
}

/** The rows in sight that the host does not watch, so that their changes would not be shown; undefined: it watches all of them. */
function unwatchedOf({ store, rows, viewId, first, watched }: List): Gap | undefined {
  const state = store.getState();
  const { groupBy, sort, paused } = state;
  // A list that stands still shows no changes, and a search is read again at its end.
  const isStill = paused && sort === undefined;
  if (viewId === undefined || isStill || growsAtItsBeginning(state)) return undefined;
  const hasNewest = groupBy === '' && sort === undefined;
  const range = unwatched({ viewId, range: first, total: rows.total, hasNewest }, watched);
  return range && { from: range.from, count: range.to - range.from };
}

/** Rows on either side of those that removals bring into sight, which are read with them. */
const LATE_BESIDE = 100;

/** The lines that waiting removals bring into sight; undefined: no change waits for rows. */
function lateSight({ rows, sight, late }: List): RowRange | undefined {
  return late.length === 0 ? undefined : sightAfter(sight, removedBy(rows.total, viewsIn(late)));
}

function lateGap(list: List): Gap | undefined {
  const late = lateSight(list);
  if (late === undefined) return undefined;
  const from = Math.max(0, late.from - LATE_BESIDE);
  return { from, count: Math.min(MAX_ROWS, late.to + LATE_BESIDE - from) };
}

/** Whether these rows are not those that waiting removals bring into sight. */
function isBesideLate(list: List, { from, count }: Gap): boolean {
  const late = lateSight(list);
  return late !== undefined && (late.from < from || late.to > from + count);
}

interface LoadingDependencies {
  /** Called when the host no longer knows the view. */
  readonly reopen: () => void;
  /** Notes the changes that came before an answer. */
  readonly noteChanges: () => void;
  /** Applies all changes that came before an answer. */
  readonly applyChanges: () => void;
}

/** Loads the rows that are drawn. */
function loadingOf(
  list: List,
  { reopen, noteChanges, applyChanges }: LoadingDependencies,
): Messages['ensure'] {
  const { rows, store } = list;
  let asking = false;
  let watching: ReturnType<typeof setTimeout> | undefined;

  function ensure(from: number, to: number, first: RowRange = { from, to }, sight = first): void {
    list.wanted = { from, to };
    list.first = first;
    list.sight = sight;
    if (!asking) void fill();
  }

  /** Rows that were read some time ago are read again, so that the host watches them; a few times a second while a person scrolls. */
  function watchSoon(): void {
    if (unwatchedOf(list) === undefined) return;
    watching ??= setTimeout(() => {
      watching = undefined;
      if (!asking) void fill(true);
    }, WATCH_MS);
  }

  /** Loads one part at a time; the wanted range at its answer decides the next part. */
  async function fill(watches = false): Promise<void> {
    asking = true;
    let mine = list.viewId;
    let isReplaced = false;
    /** Lines that a search found during the last read, which it probably finds during the next one too. */
    let ahead = 0;
    try {
      for (;;) {
        if (mine !== list.viewId) ahead = 0;
        mine = list.viewId;
        const gap =
          lateGap(list) ??
          rows.missing(list.first.from, list.first.to) ??
          rows.missing(list.wanted.from, list.wanted.to) ??
          (watches ? unwatchedOf(list) : undefined);
        if (mine === undefined || gap === undefined) return;
        const count = Math.min(gap.count, MAX_ROWS);
        const from = gap.from + ahead;
        const before = rows.total;
        const answer = await rowsOf(list, mine, from, count);
        if (mine !== list.viewId) continue;
        noteChanges();
        if (isBesideLate(list, { from, count })) continue;
        applyChanges();
        const isSearch = growsAtItsBeginning(store.getState()) && !store.getState().paused;
        ahead = isSearch ? Math.max(0, rows.total - before) : 0;
        const short = rows.take(from, answer) < count;
        if (short && !store.getState().paused) rows.total = answer.total;
        rows.trim(list.wanted.from, list.wanted.to);
        list.touch({ total: rows.total, newestNumber: newestOf(store, answer.rows) });
        // The view shrank meanwhile, so there are fewer rows; its notification brings the rest.
        if (short) return;
      }
    } catch (reason) {
      // A view that the host no longer knows is opened again; any other failure is shown in the list.
      const failure = asFailure(reason);
      // The view was replaced and closed during the request; the new one loads its own rows.
      if (failure.code === 'NOT_FOUND' && mine === list.viewId) reopen();
      else if (failure.code === 'NOT_FOUND') isReplaced = true;
      else if (failure.code !== 'CONNECTION_LOST') store.setState({ status: 'failed', failure });
    } finally {
      asking = false;
      watchSoon();
    }
    if (isReplaced) void fill();
  }

  return ensure;
}

/** Moves every loaded row, and the wanted range, this many lines down. */
function shiftBy(list: List, lines: number): void {
  const shifted = ({ from, to }: RowRange): RowRange => ({
    from: Math.max(0, from + lines),
    to: Math.max(0, to + lines),
  });
  list.rows.shift(lines);
  list.wanted = shifted(list.wanted);
  list.first = shifted(list.first);
  list.sight = shifted(list.sight);
}

/** Loads the lines of a grouped list again; the visible part moves with the changes above it. */
function applyGrouped(list: List, { total, appended, moved, shift = 0 }: ViewChanged): number {
  const { rows } = list;
  if (moved !== true) return appended;
  if (shift !== 0) shiftBy(list, shift);
  rows.makeStale();
  rows.total = total;
  rows.cutToTotal();
  return appended;
}

function applyView(list: List, change: ViewChanged): number {
  const { rows, store } = list;
  const { groupBy, sort } = store.getState();
  if (groupBy !== '' || sort !== undefined) return applyGrouped(list, change);
  const removed = rows.total + change.appended - change.total;
  const isSearch = growsAtItsBeginning(store.getState());
  if (isSearch && removed < 0) shiftBy(list, -removed);
  // The host says how far the rows of a filtered list move, because the console does not know which of them left.
  else if (!isSearch && store.getState().filter !== '') shiftBy(list, change.shift ?? 0);
  // The rows of a search only move while it runs; when it has ended they are loaded again.
  if (
    (change.moved === true || removed !== 0) &&
    !(isSearch && removed < 0 && change.progress !== undefined)
  ) {
    // The view of everything loses its oldest rows.
    if (store.getState().filter === '') rows.dropOldest(removed);
    rows.makeStale();
  }
  rows.total = change.total;
  rows.cutToTotal();
  if (change.omitted !== undefined) {
    const { from, count } = change.omitted;
    rows.forget(from, from + count, new Set(change.rows.map(({ index }) => index)));
  }
  for (const { index, row } of change.rows) {
    forgetEdited(list, row);
    rows.put(index, row);
  }
  return change.appended;
}

/** Drops the values of own columns of a message whose payload is another one now; the line of the payload has a version. */
function forgetEdited({ rows, own }: List, row: MessageRow): void {
  const before = rows.rowOf(row.messageId);
  if (before !== undefined && payloadVersion(before) !== payloadVersion(row)) own.forget(row.number);
}

function applyEvent(list: List, event: ConsoleEvent): void {
  const { rows } = list;
  if (event.type === 'message.added') {
    forgetEdited(list, event.row);
    rows.update(event.row.messageId, () => event.row);
  }
  if (event.type === 'delivery.changed')
    rows.update(event.messageId, (row) => {
      const now = withDelivery(row, event.delivery);
      forgetEdited(list, now);
      return now;
    });
}

function viewsIn(changes: readonly Change[]): readonly ViewChanged[] {
  return changes.flatMap((change) => ('view' in change ? change.view : []));
}

/** Whether rows in sight would be empty after these changes until the host has answered. */
function mustWait({ rows, store, sight }: List, changes: readonly Change[]): boolean {
  const { filter, groupBy, sort, paused, follow } = store.getState();
  if (filter !== '' || groupBy !== '' || sort !== undefined || paused || follow) return false;
  return emptiesSight(rows, sight, removedBy(rows.total, viewsIn(changes)));
}

/** Applies the changes since the last frame. */
function changesOf(list: List, ensure: Messages['ensure']): (changes: readonly Change[]) => void {
  const { rows, store } = list;
  return (changes) => {
    const { follow, paused, sort, newer, arrived, later } = store.getState();
    // A sorted list keeps its order; its rows tell how their messages are now.
    const isStill = paused && sort === undefined;
    let appended = 0;
    // Only the view says that its search has ended, a changed delivery does not.
    let { progress } = store.getState();
    const changedRows: MessageRow[] = [];
    for (const change of changes) {
      if ('view' in change) {
        if (change.view.viewId !== list.viewId) continue;
        progress = change.view.progress;
        if (isStill) appended += change.view.appended;
        else {
          appended += applyView(list, change.view);
          for (const { row } of change.view.rows) changedRows.push(row);
        }
      } else if (!isStill) applyEvent(list, change.event);
    }
    rows.trim(list.wanted.from, list.wanted.to);
    list.touch({
      total: rows.total,
      progress,
      arrived: arrived + appended,
      later: isStill ? later : later + appended,
      newer: follow && !paused ? 0 : newer + appended,
      newestNumber: newestOf(store, changedRows),
    });
    if (!isStill) ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
  };
}

/**
 * Asks the host what a selection is. Another selection meanwhile, or another view, makes the answer void.
 * @returns undefined: the answer is void
 */
async function askedFor<T>(
  list: List,
  viewId: string | undefined,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const { store } = list;
  const mine = list.selects;
  store.setState({ isSelecting: true });
  try {
    const answer = await ask();
    return mine === list.selects && viewId === list.viewId ? answer : undefined;
  } finally {
    if (mine === list.selects) store.setState({ isSelecting: false });
  }
}

/** Selects a range; one with rows that are not loaded is read from the host. */
async function selectRange(
  list: List,
  change: Extract<SelectionChange, { kind: 'range' }>,
  ensure: Messages['ensure'],
): Promise<void> {
  const { rows, store } = list;
  const mine = list.viewId;
  const loaded = loadedBetween(change, rows);
  if (loaded !== undefined)
    store.setState({ selected: new Set(loaded), allSelected: false, isSelecting: false });
  if (loaded !== undefined) return;
  const ids = await askedFor(list, mine, () =>
    idsBetween(change, rows, async (from, n) =>
      mine === undefined ? [] : (await rowsOf(list, mine, from, n)).rows,
    ),
  );
  if (ids !== undefined) store.setState({ selected: new Set(ids), allSelected: false });
  // The host watched other rows meanwhile.
  ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
}

/** The end of a selection of everything that needs no host: a sorted list has its own, and one by time its last row. */
function knownEnd({ rows, store }: List): UpTo | undefined {
  const { groupBy, sort, sortedUpTo } = store.getState();
  const { total } = rows;
  if (groupBy !== '' || total === 0) return undefined;
  // A row that is to be loaded again may not be the last one any more.
  const last = rows.missing(total - 1, total) === undefined ? rows.rowAt(total - 1) : undefined;
  const number = sort === undefined ? last?.number : sortedUpTo;
  return number === undefined ? undefined : { number, count: total, isFixed: false };
}

/** Asks for the newest message of the list; undefined: it has none. */
async function askEnd(list: List, viewId: string): Promise<UpTo | undefined> {
  const { rpc, store, rows } = list;
  const { filter, groupBy } = store.getState();
  const { total } = rows;
  if (groupBy === '') {
    const last = total === 0 ? undefined : (await rowsOf(list, viewId, total - 1, 1)).rows[0];
    return last && { number: last.number, count: total, isFixed: false };
  }
  const { items, total: count } = await rpc.call('messages.list', { filter, limit: 1 });
  return items[0] && { number: items[0].number, count, isFixed: false };
}

/** Selects everything that matches now; what comes later is not selected. */
async function selectAll(list: List, ensure: Messages['ensure']): Promise<void> {
  const { store, viewId, rows } = list;
  const { groupBy, progress, arrived } = store.getState();
  const ids = groupBy === '' && progress === undefined ? allIds(rows) : undefined;
  const end = knownEnd(list);
  if (end !== undefined) {
    const all = { allSelected: true, isSelecting: false, later: 0 };
    if (ids === undefined) list.touch({ ...all, upTo: end });
    else list.touch({ ...all, selected: new Set(ids), upTo: { ...end, isFixed: true } });
    return;
  }
  if (viewId === undefined) return;
  const upTo = await askedFor(list, viewId, () => askEnd(list, viewId));
  // Messages that came during the request are later than the newest one of the time before it.
  if (upTo !== undefined) list.touch({ allSelected: true, upTo, later: store.getState().arrived - arrived });
  // The host watched other rows meanwhile.
  ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
}

/**
 * Reads the rows around an index.
 * @returns false: the view was replaced meanwhile, so the index is void
 */
async function readAround(
  list: List,
  mine: string,
  index: number,
  applyChanges: () => void,
): Promise<boolean> {
  const { rows } = list;
  const from = Math.max(0, index - AROUND);
  const answer = await rowsOf(list, mine, from, 2 * AROUND);
  if (mine !== list.viewId) return false;
  applyChanges();
  rows.take(from, answer);
  return true;
}

/** Finds rows of the view that are not loaded, and opens its groups. */
function rowFinder(
  list: List,
  groups: OpenGroups,
  ensure: Messages['ensure'],
  applyChanges: () => void,
): Pick<Messages, 'expand' | 'goTo' | 'groupOver' | 'idAt'> {
  const { rpc, rows, store } = list;
  /** The host watched other rows meanwhile. */
  function again(): void {
    list.watched = undefined;
    ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
  }
  return {
    async expand(groupId, isOpen) {
      const mine = list.viewId;
      if (mine === undefined) return;
      const total = await groups.expand(mine, groupId, isOpen);
      if (mine !== list.viewId) return;
      // Waiting changes count the lines before this one, so they are applied first.
      applyChanges();
      rows.makeStale();
      rows.total = total;
      rows.cutToTotal();
      list.touch({ total, follow: false, hasOpenGroups: groups.isAny });
      ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
    },
    async goTo(wanted) {
      const mine = list.viewId;
      const found = mine === undefined ? null : await rpc.call('view.find', { viewId: mine, ...wanted });
      if (mine === undefined || mine !== list.viewId || found === null) return undefined;
      const { index, messageId } = found;
      if (rows.indexOf(messageId) === undefined && !(await readAround(list, mine, index, applyChanges)))
        return undefined;
      list.touch({ follow: false, current: messageId, goneTo: store.getState().goneTo + 1 });
      return messageId;
    },
    async groupOver(index) {
      const isHeld = rows.groupOver(index) !== undefined;
      const over = await groups.over(rows, () => list.viewId, index);
      if (!isHeld) again();
      return over;
    },
    async idAt(index) {
      const isHeld = rows.idAt(index) !== undefined;
      const isRead =
        isHeld || (list.viewId !== undefined && (await readAround(list, list.viewId, index, applyChanges)));
      if (!isHeld) again();
      return isRead ? rows.idAt(index) : undefined;
    },
  };
}

/** The view that a sort applies to: if the last filter was refused, that of the rows in sight. */
function sortable({ store, asked }: List): Messages['asked'] {
  const state = store.getState();
  return state.failure === undefined ? asked : state;
}

/** Stops following while the list is sorted, and follows again afterwards if it did before. */
function followUnlessSorted(list: List, sort: Sort | undefined): void {
  const { store, asked } = list;
  if (asked.sort === undefined) list.followed = store.getState().follow;
  store.setState({ follow: sort === undefined && list.followed });
}

interface Changing {
  readonly ensure: Messages['ensure'];
  readonly queue: FrameQueue<Change>;
  /** Applies all changes that have come. */
  readonly applyChanges: () => void;
}

/** Loads rows, and applies changes once per frame; those that would empty rows in sight are applied with the rows that replace them. */
function changingOf(list: List, frame: NextFrame, reopen: () => void): Changing {
  const ensure = loadingOf(list, { reopen, noteChanges: () => queue.flush(), applyChanges });
  const apply = changesOf(list, ensure);
  const queue = createFrameQueue<Change>(frame, (changes) => {
    const isFirst = list.late.length === 0;
    if (isFirst && !mustWait(list, changes)) return apply(changes);
    list.late.push(...changes);
    if (isFirst) ensure(list.wanted.from, list.wanted.to, list.first, list.sight);
  });
  function applyChanges(): void {
    queue.flush();
    const { late } = list;
    list.late = [];
    if (late.length > 0) apply(late);
  }
  return { ensure, queue, applyChanges };
}

/** Order of the list, and whether it follows what comes. */
function orderOf(
  list: List,
  open: Messages['open'],
): Pick<Messages, 'setFollow' | 'newestInSight' | 'setPaused' | 'setSort'> {
  const { rpc, store } = list;
  /** Follows what happens again, by time: the view of a paused list has not shown what came since. */
  function resume(): void {
    const { viewId, asked } = list;
    list.viewId = undefined;
    followUnlessSorted(list, undefined);
    void open(asked.filter, asked.groupBy);
    if (viewId !== undefined) close(rpc, viewId);
  }
  return {
    setFollow(follow) {
      if (follow !== store.getState().follow)
        store.setState(follow ? { follow, newer: 0, seen: 0 } : { follow });
    },
    newestInSight() {
      const { newer, seen } = store.getState();
      if (newer !== seen) store.setState({ seen: newer });
    },
    setPaused(paused) {
      if (paused === store.getState().paused) return;
      store.setState({ paused, newer: 0, seen: 0 });
      if (!paused) resume();
    },
    async setSort(sort) {
      const { filter, groupBy, sort: before } = sortable(list);
      // Repeats that share lines by themselves, because messages come too fast, are no groups that a person chose.
      if ((groupBy !== '' && groupBy !== REPEATS) || sort === before) return;
      followUnlessSorted(list, sort);
      await open(filter, '', sort);
    },
  };
}

/**
 * Makes the list over `rpc`; nothing is requested before `open`.
 * @param unreadOf what is read in this list
 */
export function createMessages(rpc: RpcClient, frame: NextFrame, unreadOf = createUnread): Messages {
  const list = createList(rpc);
  const { store, rows } = list;
  const groups = new OpenGroups(rpc);
  const { ensure, queue, applyChanges } = changingOf(list, frame, () => reopen());
  const open = openingOf(list, {
    groups,
    ensure,
    forgetChanges() {
      queue.clear();
      list.late = [];
    },
  });
  const stop = rpc.on('view.changed', (view) => {
    if (view.viewId === list.viewId) queue.push({ view });
    else if (view.viewId === list.coming?.viewId) list.coming.changes.push(view);
  });

  function reopen(ticks = true): void {
    list.viewId = undefined;
    // The selection ends now, not with the new view: the connection may be lost again before that.
    if (!ticks) {
      list.selects += 1;
      list.own.clear();
      store.setState({ selected: new Set(), allSelected: false, isSelecting: false });
    }
    list.previews.ask();
    // A filter whose view is opening counts, not the old one.
    const { filter, groupBy, sort } = list.asked;
    if (store.getState().status !== 'idle') void open(filter, groupBy, sort, { paused: true, ticks });
  }

  return {
    store,
    rows,
    own: list.own,
    previews: list.previews,
    open,
    get asked() {
      return list.asked;
    },
    ensure,
    ...rowFinder(list, groups, ensure, applyChanges),
    ...orderOf(list, open),
    setCurrent: (current) => store.setState({ current }),
    get eye() {
      return list.eye;
    },
    setEye(messageId) {
      list.eye = messageId;
    },
    select(change) {
      list.selects += 1;
      // The selection stays without the host's answer; the connection bar reports the error.
      if (change.kind === 'all') selectAll(list, ensure).catch(() => undefined);
      else if (change.kind === 'range') selectRange(list, change, ensure).catch(() => undefined);
      else store.setState({ ...selectionAfter(change, store.getState()), isSelecting: false });
    },
    ...unreadOf(rpc, store),
    onEvents(events) {
      for (const event of events)
        if (event.type === 'message.added' || event.type === 'delivery.changed') queue.push({ event });
    },
    reopen,
    dispose() {
      stop();
      list.viewId = undefined;
      queue.clear();
    },
  };
}
