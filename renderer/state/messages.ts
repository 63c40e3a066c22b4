/** The message list: a window over one view of the host, with follow, pause, unread and selection. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConsoleEvent, Result, ViewChanged } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { isByTime } from '../format/groups.ts';
import { createReading } from './reading.ts';
import { asFailure } from './resource.ts';
import {
  FIRST,
  type Messages,
  type MessagesState,
  type SelectionChange,
  type Sort,
} from './messages-state.ts';
import { OpenGroups } from './open-groups.ts';
import { OwnColumns } from './own-values.ts';
import { Previews } from './previews.ts';
import type { RowRange } from './read-ahead.ts';
import { RowWindow, withDelivery } from './row-window.ts';
import { idsBetween, loadedBetween, selectionAfter } from './selection.ts';
import { createFrameQueue, type NextFrame } from './store.ts';

export type { Messages } from './messages-state.ts';

type Change = { readonly view: ViewChanged } | { readonly event: ConsoleEvent };

/** How many rows are loaded on each side of the row that a person jumps to. */
const AROUND = 50;
/** Rows that are read on either side of where a view begins, before it takes the place of the one before. */
const FIRST_ROWS = 60;
/** How often the first rows are read of a search that finds more meanwhile. */
const MOST_TRIES = 10;

/** What the functions of one list share. */
interface List {
  readonly rpc: RpcClient;
  readonly store: StoreApi<MessagesState>;
  readonly rows: RowWindow;
  readonly previews: Previews;
  /** The open view of the host. */
  viewId: string | undefined;
  /** A view whose first rows are being read, and what was told of it meanwhile. */
  coming: { readonly viewId: string; readonly changes: ViewChanged[] } | undefined;
  /** The row that keeps its place when another view opens. */
  eye: string | undefined;
  /** What was asked for last; the view that shows it may still be on its way. */
  asked: { readonly filter: string; readonly groupBy: string };
  /** Places that are drawn: their rows are loaded. */
  wanted: RowRange;
  /** The wanted places in sight, which are read before the others. */
  first: RowRange;
  /** Says that rows changed, with what else did. */
  touch(more?: Partial<MessagesState>): void;
}

function createList(rpc: RpcClient): List {
  const store = createStore<MessagesState>(() => FIRST);
  const rows = new RowWindow();
  return {
    rpc,
    store,
    rows,
    previews: new Previews(rpc),
    viewId: undefined,
    coming: undefined,
    eye: undefined,
    asked: { filter: '', groupBy: '' },
    wanted: { from: 0, to: 0 },
    first: { from: 0, to: 0 },
    touch(more = {}) {
      store.setState((state) => ({
        ...(state.allSelected && { selected: new Set(rows.ids()) }), // those that came since too
        ...more,
        version: state.version + 1,
      }));
    },
  };
}

/** A view may be gone with its connection, which closes it too. */
function close(rpc: RpcClient, gone: string): void {
  rpc.call('view.close', { viewId: gone }).catch(() => undefined);
}

function newestOf({ getState }: List['store'], more: readonly MessageRow[]): number {
  return more.reduce((high, row) => Math.max(high, row.number), getState().newestNumber);
}

interface OpeningDependencies {
  readonly groups: OpenGroups;
  readonly ensure: Messages['ensure'];
  /** Changes of the view before are not applied any more. */
  readonly forgetChanges: () => void;
  /** Applies what was told of a view before its rows were there. */
  readonly catchUp: (changes: readonly ViewChanged[]) => void;
}

/** A view that the host has opened. */
interface Coming {
  readonly viewId: string;
  readonly total: number;
  readonly progress?: MessagesState['progress'];
  readonly groupBy: string;
  readonly sort: Sort | undefined;
}

/** Rows of a view, from a line on. */
interface FirstRows {
  readonly from: number;
  readonly to: number;
  readonly answer: Result<'view.rows'>;
}

/** Is a list in the order of time still being searched? Then rows that are found come before the others. */
function growsAtItsBeginning(view: Pick<Coming, 'groupBy' | 'sort' | 'progress'>): boolean {
  return view.groupBy === '' && view.sort === undefined && view.progress !== undefined;
}

/** Reads the rows that a view begins with: around the row that keeps its place, or else the newest, or the first of what is not by time. */
async function firstRows({ rpc, store, eye }: List, coming: Coming): Promise<FirstRows> {
  const { viewId, groupBy, sort } = coming;
  const isFromEnd = isByTime(groupBy) && sort === undefined;
  const keepsPlace = eye !== undefined && groupBy === '' && isFromEnd && !store.getState().follow;
  const found = keepsPlace ? await rpc.call('view.find', { viewId, messageId: eye }) : null;
  let { total } = coming;
  for (let tries = 1; ; tries += 1) {
    const at = found?.index ?? (isFromEnd ? total : 0);
    const from = Math.max(0, at - FIRST_ROWS);
    const to = Math.max(from + 1, Math.min(total, at + FIRST_ROWS));
    const answer = await rpc.call('view.rows', { viewId, from, count: to - from });
    // A search finds more while its newest rows are being read: they stand further down by now.
    const isPassed = growsAtItsBeginning(coming) && answer.total > total;
    if (!isPassed || tries === MOST_TRIES) return { from, to, answer };
    ({ total } = answer);
  }
}

type Open = (filter: string, groupBy?: string, sort?: Sort) => Promise<void>;

/** Puts a view with its first rows in place of the one that was shown. */
function replaceView(list: List, coming: Coming, first: FirstRows, filter: string): void {
  const { rows, store } = list;
  const { viewId, groupBy, sort, progress } = coming;
  const total = growsAtItsBeginning(coming) ? first.answer.total : coming.total;
  list.viewId = viewId;
  rows.clear();
  rows.total = total;
  rows.take(first.from, first.answer);
  list.wanted = { from: first.from, to: first.to };
  list.first = list.wanted;
  list.touch({
    status: 'ready',
    isOpening: false,
    failure: undefined,
    filter,
    groupBy,
    // Groups are read from the first on; what is in the order of time, from the newest.
    ...(groupBy === store.getState().groupBy ? {} : { follow: isByTime(groupBy), current: undefined }),
    total,
    newer: 0,
    newestNumber: newestOf(store, first.answer.rows),
    progress,
    // A sorted list is of the moment it was sorted: it stays paused.
    paused: sort !== undefined,
    sort,
    sortedAt: sort === undefined ? 0 : Date.now(),
    selected: new Set(),
    allSelected: false,
  });
}

/** What is left of a change that was told of a search before rows were read which already stand as it says. */
function sinceRead(change: ViewChanged, total: number): ViewChanged {
  return change.total >= total ? change : { ...change, total, appended: 0, rows: [] };
}

/** Opens views; the last one asked for wins. */
function openingOf(list: List, { groups, ensure, forgetChanges, catchUp }: OpeningDependencies): Open {
  const { rpc, store } = list;
  let opening = 0;
  return async (filter, groupBy = '', sort) => {
    opening += 1;
    const mine = opening;
    const before = list.viewId;
    list.asked = { filter, groupBy };
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
      // What was told meanwhile counts the lines of groups that were closed then; the rows are read after it.
      if (isRestored) changes.length = 0;
      const coming = { ...view, total, groupBy, sort };
      // The old view stays until the rows of the new one are there: no line is empty, and a filter that is refused changes nothing.
      const first = mine === opening ? await firstRows(list, coming) : undefined;
      // Another one was asked for meanwhile: nobody will look at this one.
      if (mine !== opening || first === undefined) return close(rpc, view.viewId);
      list.coming = undefined;
      forgetChanges();
      replaceView(list, coming, first, filter);
      const { total: known } = first.answer;
      catchUp(growsAtItsBeginning(coming) ? changes.map((change) => sinceRead(change, known)) : changes);
      ensure(list.wanted.from, list.wanted.to, list.first);
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

/** Loads the rows that are drawn. @param reopen called when the host no longer knows the view */
function loadingOf(list: List, reopen: () => void): Messages['ensure'] {
  const { rpc, rows, store } = list;
  let asking = false;

  function ensure(from: number, to: number, first: RowRange = { from, to }): void {
    list.wanted = { from, to };
    list.first = first;
    if (!asking) void fill();
  }

  /** One question at a time; what is wanted when the answer comes decides the next. */
  async function fill(): Promise<void> {
    asking = true;
    let mine = list.viewId;
    let isReplaced = false;
    /** Lines by which a search is ahead of what is shown of it. */
    let ahead = 0;
    try {
      for (;;) {
        if (mine !== list.viewId) ahead = 0;
        mine = list.viewId;
        const gap =
          rows.missing(list.first.from, list.first.to) ?? rows.missing(list.wanted.from, list.wanted.to);
        if (mine === undefined || gap === undefined) return;
        const count = Math.min(gap.count, 500);
        const answer = await rpc.call('view.rows', { viewId: mine, from: gap.from + ahead, count });
        if (mine !== list.viewId) continue;
        const isSearch = growsAtItsBeginning(store.getState()) && !store.getState().paused;
        const more = isSearch ? answer.total - rows.total : 0;
        const short = rows.take(gap.from + ahead - more, answer) < count;
        ahead = more;
        if (short && !store.getState().paused) rows.total = answer.total;
        rows.trim(list.wanted.from, list.wanted.to);
        list.touch({ total: rows.total, newestNumber: newestOf(store, answer.rows) });
        // Fewer rows than asked for: the view shrank meanwhile; its notification brings the rest.
        if (short) return;
      }
    } catch (reason) {
      // A view that the host no longer knows is opened again; anything else is the state of the list.
      const failure = asFailure(reason);
      // The view was replaced and closed while its rows were asked for: the new one asks for its own.
      if (failure.code === 'NOT_FOUND' && mine === list.viewId) reopen();
      else if (failure.code === 'NOT_FOUND') isReplaced = true;
      else if (failure.code !== 'CONNECTION_LOST') store.setState({ status: 'failed', failure });
    } finally {
      asking = false;
    }
    if (isReplaced) void fill();
  }

  return ensure;
}

/** Moves every loaded row, and the range that is wanted, this many lines down. */
function shiftBy(list: List, lines: number): void {
  const shifted = ({ from, to }: RowRange): RowRange => ({
    from: Math.max(0, from + lines),
    to: Math.max(0, to + lines),
  });
  list.rows.shift(lines);
  list.wanted = shifted(list.wanted);
  list.first = shifted(list.first);
}

/** The lines of a grouped list are read again; what is in sight moves with what grew or shrank above it. */
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
  // While the search goes on its rows only move; once it has ended they are read again.
  if (
    (change.moved === true || removed !== 0) &&
    !(isSearch && removed < 0 && change.progress !== undefined)
  ) {
    // In the view of everything, rows leave where they are oldest; elsewhere only the host knows where.
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
    if (isEdited(rows.rowOf(row.messageId), row)) list.previews.forget(row.number);
    rows.put(index, row);
  }
  return change.appended;
}

/** What a person changed before it was published has another size, or a flag that says so. */
function isEdited(before: MessageRow | undefined, now: MessageRow): boolean {
  if (before === undefined) return false;
  return before.sizeBytes !== now.sizeBytes || before.flags?.length !== now.flags?.length;
}

function applyEvent({ rows, previews }: List, event: ConsoleEvent): void {
  if (event.type === 'message.added') {
    if (isEdited(rows.rowOf(event.row.messageId), event.row)) previews.forget(event.row.number);
    rows.update(event.row.messageId, () => event.row);
  }
  if (event.type === 'delivery.changed') {
    rows.update(event.messageId, (row) => withDelivery(row, event.delivery));
  }
}

/** Applies what came since the last frame. */
function changesOf(list: List, ensure: Messages['ensure']): (changes: readonly Change[]) => void {
  const { rows, store } = list;
  return (changes) => {
    const { follow, paused, newer, arrived } = store.getState();
    let appended = 0;
    let progress: MessagesState['progress'];
    const changedRows: MessageRow[] = [];
    for (const change of changes) {
      if ('view' in change) {
        if (change.view.viewId !== list.viewId) continue;
        progress = change.view.progress;
        if (paused && store.getState().sort === undefined) appended += change.view.appended;
        else {
          appended += applyView(list, change.view);
          for (const { row } of change.view.rows) changedRows.push(row);
        }
      } else if (!paused) applyEvent(list, change.event);
    }
    rows.trim(list.wanted.from, list.wanted.to);
    list.touch({
      total: rows.total,
      progress,
      arrived: arrived + appended,
      newer: follow && !paused ? 0 : newer + appended,
      newestNumber: newestOf(store, changedRows),
    });
    if (!paused || store.getState().sort !== undefined) ensure(list.wanted.from, list.wanted.to, list.first);
  };
}

/** A range that reaches over rows that are not loaded is told by the host. */
async function selectRange(list: List, change: Extract<SelectionChange, { kind: 'range' }>): Promise<void> {
  const { rpc, rows, store } = list;
  const mine = list.viewId;
  const loaded = loadedBetween(change, rows);
  if (loaded !== undefined) store.setState({ selected: new Set(loaded), allSelected: false });
  if (loaded !== undefined) return;
  const ids = await idsBetween(change, rows, async (from, n) =>
    mine === undefined ? [] : (await rpc.call('view.rows', { viewId: mine, from, count: n })).rows,
  );
  if (mine === list.viewId) store.setState({ selected: new Set(ids), allSelected: false });
}

/** Reads the rows around an index. @returns false: the view was replaced meanwhile, so that they stand elsewhere */
async function readAround(list: List, mine: string, index: number): Promise<boolean> {
  const { rpc, rows } = list;
  const from = Math.max(0, index - AROUND);
  const answer = await rpc.call('view.rows', { viewId: mine, from, count: 2 * AROUND });
  if (mine === list.viewId) rows.take(from, answer);
  return mine === list.viewId;
}

/** Finds rows of the view that are not held, and opens its groups. */
function rowFinder(
  list: List,
  groups: OpenGroups,
  ensure: Messages['ensure'],
  applyTold: () => void,
): Pick<Messages, 'expand' | 'goTo' | 'groupOver' | 'idAt'> {
  const { rpc, rows, store } = list;
  return {
    async expand(groupId, isOpen) {
      const mine = list.viewId;
      if (mine === undefined) return;
      const total = await groups.expand(mine, groupId, isOpen);
      if (mine !== list.viewId) return;
      // What was told before counts the lines as they stood before.
      applyTold();
      rows.makeStale();
      rows.total = total;
      rows.cutToTotal();
      list.touch({ total, follow: false });
      ensure(list.wanted.from, list.wanted.to, list.first);
    },
    async goTo(wanted) {
      const mine = list.viewId;
      const found = mine === undefined ? null : await rpc.call('view.find', { viewId: mine, ...wanted });
      if (mine === undefined || mine !== list.viewId || found === null) return undefined;
      const { index, messageId } = found;
      if (rows.indexOf(messageId) === undefined && !(await readAround(list, mine, index))) return undefined;
      list.touch({ follow: false, current: messageId, goneTo: store.getState().goneTo + 1 });
      return messageId;
    },
    groupOver: (index) => groups.over(rows, () => list.viewId, index),
    async idAt(index) {
      const isHeld = rows.idAt(index) !== undefined;
      return isHeld || (list.viewId !== undefined && (await readAround(list, list.viewId, index)))
        ? rows.idAt(index)
        : undefined;
    },
  };
}

/** Makes the list over `rpc`; nothing is asked before `open`. */
export function createMessages(rpc: RpcClient, frame: NextFrame): Messages {
  const list = createList(rpc);
  const { store, rows } = list;
  const groups = new OpenGroups(rpc);
  const ensure = loadingOf(list, reopen);
  const queue = createFrameQueue<Change>(frame, changesOf(list, ensure));
  const open = openingOf(list, {
    groups,
    ensure,
    forgetChanges: () => queue.clear(),
    catchUp: (changes) => {
      for (const view of changes) queue.push({ view });
    },
  });
  const stop = rpc.on('view.changed', (view) => {
    if (view.viewId === list.viewId) queue.push({ view });
    else if (view.viewId === list.coming?.viewId) list.coming.changes.push(view);
  });

  function reopen(): void {
    list.viewId = undefined;
    list.previews.ask();
    // A filter that is on its way counts, not the one before it.
    const { filter, groupBy } = list.asked;
    if (store.getState().status !== 'idle') void open(filter, groupBy);
  }

  return {
    store,
    rows,
    own: new OwnColumns(rpc, () => list.touch()),
    previews: list.previews,
    open,
    ensure,
    ...rowFinder(list, groups, ensure, () => queue.flush()),
    setFollow(follow) {
      if (follow !== store.getState().follow) store.setState(follow ? { follow, newer: 0 } : { follow });
    },
    setPaused(paused) {
      if (paused === store.getState().paused) return;
      store.setState({ paused, newer: 0 });
      if (!paused) reopen();
    },
    async setSort(sort) {
      const { filter, groupBy, sort: before } = store.getState();
      if (groupBy !== '' || sort === before) return;
      store.setState({ follow: false });
      await open(filter, '', sort);
    },
    setCurrent: (current) => store.setState({ current }),
    get eye() {
      return list.eye;
    },
    setEye(messageId) {
      list.eye = messageId;
    },
    select(change) {
      if (change.kind !== 'range') store.setState(selectionAfter(change, store.getState(), rows));
      // Without the host's answer the selection stays as it is; the connection bar says why.
      else selectRange(list, change).catch(() => undefined);
    },
    ...createReading(rpc, store),
    onEvents(events) {
      for (const event of events) {
        if (event.type === 'message.added' || event.type === 'delivery.changed') queue.push({ event });
      }
    },
    reopen,
    dispose() {
      stop();
      queue.clear();
    },
  };
}
