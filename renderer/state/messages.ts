/** The message list: a window over one view of the host, with follow, pause, unread and selection. */
import { createStore } from 'zustand/vanilla';
import type { ConsoleEvent, ViewChanged } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RpcClient } from '../client/rpc-client.ts';
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
import { RowWindow, withDelivery } from './row-window.ts';
import { idsBetween, loadedBetween, selectionAfter } from './selection.ts';
import { createFrameQueue, type NextFrame } from './store.ts';

export type { Messages } from './messages-state.ts';

type Change = { readonly view: ViewChanged } | { readonly event: ConsoleEvent };

/** Rows that are loaded before and after one that is gone to. */
const AROUND = 50;

/** Makes the list over `rpc`; nothing is asked before `open`. */
export function createMessages(rpc: RpcClient, frame: NextFrame): Messages {
  const store = createStore<MessagesState>(() => FIRST);
  const rows = new RowWindow();
  const groups = new OpenGroups(rpc);
  const own = new OwnColumns(rpc, () => touch());
  let viewId: string | undefined;
  let opening = 0;
  let wanted = { from: 0, to: 0 };
  let asking = false;

  function touch(more: Partial<MessagesState> = {}): void {
    store.setState((state) => ({
      ...(state.allSelected && { selected: new Set(rows.ids()) }), // those that came since too
      ...more,
      version: state.version + 1,
    }));
  }

  /** A view may be gone with its connection, which closes it too. */
  function close(gone: string): void {
    rpc.call('view.close', { viewId: gone }).catch(() => undefined);
  }

  async function open(filter: string, groupBy = '', sort?: Sort): Promise<void> {
    opening += 1;
    const mine = opening;
    const before = viewId;
    queue.clear();
    if (store.getState().status !== 'ready') store.setState({ status: 'loading' });
    try {
      const grouped = groupBy === '' ? {} : { groupBy };
      const sorted = sort === undefined ? {} : { sortBy: sort.by };
      const order = sort?.isDown === true ? 'newest' : 'oldest';
      const view = await rpc.call('view.open', { filter, order, ...grouped, ...sorted });
      const isOtherGrouping = groupBy !== store.getState().groupBy;
      if (mine === opening && isOtherGrouping) groups.forget();
      const isRestored = groupBy !== '' && mine === opening;
      const total = isRestored ? await groups.restore(view.viewId, view.total) : view.total;
      // Another one was asked for meanwhile: nobody will look at this one.
      if (mine !== opening) return close(view.viewId);
      // The old view stays until the new one is there: a filter that is refused changes nothing.
      viewId = view.viewId;
      rows.clear();
      rows.total = total;
      touch({
        status: 'ready',
        failure: undefined,
        filter,
        groupBy,
        // Groups are read from the first on; where nothing is grouped, the newest come first.
        ...(isOtherGrouping ? { follow: groupBy === '', current: undefined } : {}),
        total,
        newer: 0,
        progress: view.progress,
        // A sorted list is of the moment it was sorted: it stays paused.
        paused: sort !== undefined,
        sort,
        selected: new Set(),
        allSelected: false,
      });
      const isByTime = groupBy === '' && sort === undefined;
      ensure(isByTime ? Math.max(0, total - 60) : 0, isByTime ? total : 60);
      if (before !== undefined) close(before);
    } catch (reason) {
      if (mine !== opening) return;
      const failure = asFailure(reason);
      if (failure.code === 'CONNECTION_LOST') return;
      const kept = viewId !== undefined && failure.code === 'FILTER_SYNTAX';
      store.setState(kept ? { failure } : { status: 'failed', failure });
    }
  }

  function ensure(from: number, to: number): void {
    wanted = { from, to };
    if (!asking) void fill();
  }

  /** One question at a time; what is wanted when the answer comes decides the next. */
  async function fill(): Promise<void> {
    asking = true;
    try {
      for (;;) {
        const mine = viewId;
        const gap = rows.missing(wanted.from, wanted.to);
        if (mine === undefined || gap === undefined) return;
        const count = Math.min(gap.count, 500);
        const answer = await rpc.call('view.rows', { viewId: mine, from: gap.from, count });
        if (mine !== viewId) continue;
        const short = rows.take(gap.from, answer) < count;
        if (short && !store.getState().paused) rows.total = answer.total;
        rows.trim(wanted.from, wanted.to);
        touch({ total: rows.total, newestNumber: newest(answer.rows) });
        // Fewer rows than asked for: the view shrank meanwhile; its notification brings the rest.
        if (short) return;
      }
    } catch (reason) {
      // A view that the host no longer knows is opened again; anything else is the state of the list.
      const failure = asFailure(reason);
      if (failure.code === 'NOT_FOUND') reopen();
      else if (failure.code !== 'CONNECTION_LOST') store.setState({ status: 'failed', failure });
    } finally {
      asking = false;
    }
  }

  function newest(more: readonly MessageRow[]): number {
    return more.reduce((high, row) => Math.max(high, row.number), store.getState().newestNumber);
  }

  /** The lines of a grouped list are read again; what is in sight moves with what grew or shrank above it. */
  function applyGrouped({ total, appended, moved, shift = 0 }: ViewChanged): number {
    if (moved !== true) return appended;
    if (shift !== 0) {
      rows.shift(shift);
      wanted = { from: Math.max(0, wanted.from + shift), to: Math.max(0, wanted.to + shift) };
    }
    rows.makeStale();
    rows.total = total;
    rows.cutToTotal();
    return appended;
  }

  function applyView(change: ViewChanged): number {
    const { groupBy, sort } = store.getState();
    if (groupBy !== '' || sort !== undefined) return applyGrouped(change);
    const removed = rows.total + change.appended - change.total;
    if (change.moved === true || removed !== 0) {
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
    for (const { index, row } of change.rows) rows.put(index, row);
    return change.appended;
  }

  function applyEvent(event: ConsoleEvent): void {
    if (event.type === 'message.added') rows.update(event.row.messageId, () => event.row);
    else if (event.type === 'delivery.changed') {
      rows.update(event.messageId, (row) => withDelivery(row, event.delivery));
    }
  }

  function apply(changes: readonly Change[]): void {
    const { follow, paused, newer } = store.getState();
    let appended = 0;
    let progress: MessagesState['progress'];
    const changedRows: MessageRow[] = [];
    for (const change of changes) {
      if ('view' in change) {
        if (change.view.viewId !== viewId) continue;
        progress = change.view.progress;
        if (paused && store.getState().sort === undefined) appended += change.view.appended;
        else {
          appended += applyView(change.view);
          for (const { row } of change.view.rows) changedRows.push(row);
        }
      } else if (!paused) applyEvent(change.event);
    }
    rows.trim(wanted.from, wanted.to);
    touch({
      total: rows.total,
      progress,
      newer: follow && !paused ? 0 : newer + appended,
      newestNumber: newest(changedRows),
    });
    if (!paused || store.getState().sort !== undefined) ensure(wanted.from, wanted.to);
  }

  const queue = createFrameQueue<Change>(frame, apply);
  const stop = rpc.on('view.changed', (view) => {
    if (view.viewId === viewId) queue.push({ view });
  });

  function reopen(): void {
    viewId = undefined;
    const { status, filter, groupBy } = store.getState();
    if (status !== 'idle') void open(filter, groupBy);
  }

  /** A range that reaches over rows that are not loaded is told by the host. */
  async function selectRange(change: Extract<SelectionChange, { kind: 'range' }>): Promise<void> {
    const mine = viewId;
    const loaded = loadedBetween(change, rows);
    if (loaded !== undefined) store.setState({ selected: new Set(loaded), allSelected: false });
    if (loaded !== undefined) return;
    const ids = await idsBetween(change, rows, async (from, n) =>
      mine === undefined ? [] : (await rpc.call('view.rows', { viewId: mine, from, count: n })).rows,
    );
    if (mine === viewId) store.setState({ selected: new Set(ids), allSelected: false });
  }

  /** Reads the rows around a place. @returns false: the view was replaced meanwhile, so that they stand elsewhere */
  async function readAround(mine: string, place: number): Promise<boolean> {
    const from = Math.max(0, place - AROUND);
    const answer = await rpc.call('view.rows', { viewId: mine, from, count: 2 * AROUND });
    if (mine === viewId) rows.take(from, answer);
    return mine === viewId;
  }

  return {
    store,
    rows,
    own,
    open,
    async expand(groupId, isOpen) {
      const mine = viewId;
      if (mine === undefined) return;
      const total = await groups.expand(mine, groupId, isOpen);
      if (mine !== viewId) return;
      rows.makeStale();
      rows.total = total;
      rows.cutToTotal();
      touch({ total, follow: false });
      ensure(wanted.from, wanted.to);
    },
    async goTo(wanted) {
      const mine = viewId;
      const found = mine === undefined ? null : await rpc.call('view.find', { viewId: mine, ...wanted });
      if (mine === undefined || mine !== viewId || found === null) return undefined;
      const { index, messageId } = found;
      if (rows.placeOf(messageId) === undefined && !(await readAround(mine, index))) return undefined;
      touch({ follow: false, current: messageId, goneTo: store.getState().goneTo + 1 });
      return messageId;
    },
    groupOver: (place) => groups.over(rows, () => viewId, place),
    async idAt(place) {
      const isHeld = rows.idAt(place) !== undefined;
      return isHeld || (viewId !== undefined && (await readAround(viewId, place)))
        ? rows.idAt(place)
        : undefined;
    },
    ensure,
    setFollow(follow) {
      if (follow !== store.getState().follow) store.setState(follow ? { follow, newer: 0 } : { follow });
    },
    setPaused(paused) {
      if (paused === store.getState().paused) return;
      store.setState({ paused, newer: 0 });
      if (!paused) reopen();
    },
    async setSort(sort) {
      const { filter, groupBy, paused, sort: before } = store.getState();
      if (groupBy !== '' || !paused || sort === before) return;
      store.setState({ follow: false });
      await open(filter, '', sort);
      if (sort === undefined) store.setState({ paused: true });
    },
    setCurrent: (current) => store.setState({ current }),
    select(change) {
      if (change.kind !== 'range') store.setState(selectionAfter(change, store.getState(), rows));
      // Without the host's answer the selection stays as it is; the connection bar says why.
      else selectRange(change).catch(() => undefined);
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
