/** The message list: a window over one view of the host, with follow, pause, unread and selection. */
import { createStore } from 'zustand/vanilla';
import type { ConsoleEvent, ViewChanged } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { asFailure, createResource } from './resource.ts';
import type { Messages, MessagesState } from './messages-state.ts';
import { RowWindow, withDelivery } from './row-window.ts';
import { createFrameQueue, type NextFrame } from './store.ts';

export type { Messages } from './messages-state.ts';

type Change = { readonly view: ViewChanged } | { readonly event: ConsoleEvent };

const FIRST: MessagesState = {
  status: 'idle',
  failure: undefined,
  filter: '',
  total: 0,
  version: 0,
  follow: true,
  paused: false,
  newer: 0,
  progress: undefined,
  current: undefined,
  selected: new Set(),
  allSelected: false,
  lookedAt: 0,
  readUpTo: 0,
  newestNumber: 0,
};

const UNREAD_EVERY_MS = 3000;

/** Makes the list over `rpc`; nothing is asked before `open`. */
export function createMessages(rpc: RpcClient, frame: NextFrame): Messages {
  const store = createStore<MessagesState>(() => FIRST);
  const rows = new RowWindow();
  const unread = createResource(
    () => rpc.call('messages.list', { filter: 'is:unread', limit: 1 }),
    UNREAD_EVERY_MS,
  );
  let viewId: string | undefined;
  let opening = 0;
  let wanted = { from: 0, to: 0 };
  let asking = false;

  function touch(more: Partial<MessagesState> = {}): void {
    store.setState((state) => ({ ...more, version: state.version + 1 }));
  }

  async function open(filter: string): Promise<void> {
    opening += 1;
    const mine = opening;
    const before = viewId;
    queue.clear();
    if (store.getState().status !== 'ready') store.setState({ status: 'loading' });
    try {
      const view = await rpc.call('view.open', { filter, order: 'oldest' });
      if (mine !== opening) return;
      // The old view stays until the new one is there: a filter that is refused changes nothing.
      viewId = view.viewId;
      rows.clear();
      rows.total = view.total;
      touch({
        status: 'ready',
        failure: undefined,
        filter,
        total: view.total,
        newer: 0,
        progress: undefined,
        paused: false,
        selected: new Set(),
        allSelected: false,
      });
      ensure(Math.max(0, view.total - 60), view.total);
      // The old view may be gone with its connection, which closes it too.
      if (before !== undefined) rpc.call('view.close', { viewId: before }).catch(() => undefined);
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
        answer.rows.forEach((row, index) => rows.put(gap.from + index, row));
        const short = answer.rows.length < count;
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

  function applyView(change: ViewChanged): number {
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
        if (paused) appended += change.view.appended;
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
    if (!paused) ensure(wanted.from, wanted.to);
  }

  const queue = createFrameQueue<Change>(frame, apply);
  const stop = rpc.on('view.changed', (view) => {
    if (view.viewId === viewId) queue.push({ view });
  });

  function reopen(): void {
    viewId = undefined;
    if (store.getState().status !== 'idle') void open(store.getState().filter);
  }

  function rangeOf(from: string, to: string): string[] {
    const a = rows.placeOf(from);
    const b = rows.placeOf(to);
    if (a === undefined || b === undefined) return [to];
    const ids: string[] = [];
    for (let place = Math.min(a, b); place <= Math.max(a, b); place += 1) {
      const id = rows.rowAt(place)?.messageId;
      if (id !== undefined) ids.push(id);
    }
    return ids;
  }

  return {
    store,
    rows,
    open,
    ensure,
    setFollow(follow) {
      if (follow !== store.getState().follow) store.setState(follow ? { follow, newer: 0 } : { follow });
    },
    setPaused(paused) {
      if (paused === store.getState().paused) return;
      store.setState({ paused, newer: 0 });
      if (!paused) reopen();
    },
    setCurrent: (current) => store.setState({ current }),
    select(change) {
      if (change.kind === 'none') store.setState({ selected: new Set(), allSelected: false });
      else if (change.kind === 'all') store.setState({ selected: new Set(rows.ids()), allSelected: true });
      else if (change.kind === 'range') {
        store.setState({ selected: new Set(rangeOf(change.from, change.to)), allSelected: false });
      } else if (change.kind === 'only') {
        store.setState({ selected: new Set([change.messageId]), allSelected: false });
      } else {
        const selected = new Set(store.getState().selected);
        if (!selected.delete(change.messageId)) selected.add(change.messageId);
        store.setState({ selected, allSelected: false });
      }
    },
    markLooked: () => store.setState(({ newestNumber }) => ({ lookedAt: newestNumber })),
    async markAllRead() {
      const { newestNumber } = store.getState();
      await rpc.call('messages.markRead', {});
      unread.invalidate();
      store.setState(({ version }) => ({
        readUpTo: newestNumber,
        lookedAt: newestNumber,
        version: version + 1,
      }));
    },
    isUnread: ({ number, unread: isUnread }) => isUnread === true && number > store.getState().readUpTo,
    async markRead({ messageId }, read = true) {
      await rpc.call('messages.update', { messageId, read });
      unread.invalidate();
    },
    unread,
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
