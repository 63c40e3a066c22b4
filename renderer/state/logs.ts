/** The log lines of a level and filter, kept up to date, and the number of new errors. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogEntry, Result } from '../../core/contract/console.ts';
import type { RpcClient, RpcFailure } from '../client/rpc-client.ts';
import { newerThan } from './log-lines.ts';
import { asFailure, createResource, type ResourceStore } from './resource.ts';

export interface LogsState {
  readonly level: LogEntry['level'];
  readonly filter: string;
  readonly paused: boolean;
  /** True: the newest line stays visible. */
  readonly follow: boolean;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly failure: RpcFailure | undefined;
  /** Why the filter is invalid; the lines are then those of the last valid one. */
  readonly mistake: string | undefined;
  /** Lines, oldest first. */
  readonly lines: readonly LogEntry[];
  /**
   * Number of the first line: it decreases when older ones are added before it, and grows when the line is
   * dropped.
   */
  readonly first: number;
  /** Number of the keyboard line. */
  readonly current: number | undefined;
  /** ISO time of the last look; later errors are counted on the navigation. */
  readonly viewedAt: string;
}

export interface Logs {
  readonly store: StoreApi<LogsState>;
  show(change: Partial<Pick<LogsState, 'level' | 'filter' | 'paused' | 'follow' | 'current'>>): void;
  /** Loads everything again. Never rejects: the failure is in the store. */
  refresh(): Promise<void>;
  /** Keeps the lines up to date while a view shows them; returns the function that ends it. */
  watch(): () => void;
  viewed(): void;
  /** The newest errors, for the count on the navigation. */
  readonly errors: ResourceStore<Result<'logs.list'>>;
  /** Called when something happened in the host, because the stream of a console has no log lines. */
  onTick(): void;
}

/** Maximum number of lines that the host keeps, and this side too. */
export const LOG_MAX = 5000;
const PAGE = 500;
/** Pages of a burst that are read between two requests; after a longer one the list starts again. */
const BURST_PAGES = 4;
/** Interval of requests while lines are shown, because lines may arrive without a change of counts. */
const POLL_INTERVAL_MS = 1000;
const BADGE_MAX = 100;
const ERRORS_GAP_MS = 3000;

/** Level and filter of the lines. */
type Shown = Pick<LogsState, 'level' | 'filter'>;
/** Loads a page of lines, newest first. */
type AskPage = (cursor: string | null) => Promise<Result<'logs.list'>>;

function askPage(rpc: RpcClient, { level, filter }: Shown, cursor: string | null): ReturnType<AskPage> {
  return rpc.call('logs.list', {
    level,
    limit: PAGE,
    ...(filter === '' ? {} : { filter }),
    ...(cursor === null ? {} : { cursor }),
  });
}

interface LineStore {
  fail(reason: unknown): void;
  /** Adds pages before the lines while `isCurrent`, until there are enough or no more. */
  addOlder(cursor: string | null, ask: AskPage, isCurrent: () => boolean): Promise<void>;
  /** Adds lines, oldest first, after the known ones. */
  append(newer: readonly LogEntry[]): void;
}

/** Applies lines that were read, or the failure. */
function linesOf(store: StoreApi<LogsState>): LineStore {
  return {
    fail(reason) {
      const failure = asFailure(reason);
      if (failure.code !== 'CONNECTION_LOST') store.setState({ status: 'failed', failure });
      // The connection bar reports a host that is away; the lines are loaded again when it is back.
      else if (store.getState().status === 'loading') store.setState({ status: 'idle' });
    },
    async addOlder(cursor, ask, isCurrent) {
      let next = cursor;
      while (next !== null && isCurrent() && store.getState().lines.length < LOG_MAX) {
        const page = await ask(next);
        if (!isCurrent()) return;
        store.setState(({ lines, first }) => ({
          lines: [...page.items.toReversed(), ...lines],
          first: first - page.items.length,
        }));
        next = page.nextCursor;
      }
    },
    append(newer) {
      if (newer.length === 0) return;
      store.setState(({ lines, first, follow }) => {
        const all = [...lines, ...newer];
        // Lines that a person reads further up stay, up to twice the limit.
        const leaving = all.length > LOG_MAX * (follow ? 1 : 2) ? all.length - LOG_MAX : 0;
        return { lines: all.slice(leaving), first: first + leaving };
      });
    },
  };
}

/** The lines after the last one, oldest first; undefined: they do not fit into a few pages. */
async function newSince(
  lines: readonly LogEntry[],
  ask: AskPage,
  isCurrent: () => boolean,
): Promise<readonly LogEntry[] | undefined> {
  let newer: readonly LogEntry[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < BURST_PAGES && isCurrent(); pages += 1) {
    const page: Result<'logs.list'> = await ask(cursor);
    const joined = newerThan(lines, page.items);
    if (joined !== undefined) return [...joined, ...newer];
    newer = [...page.items.toReversed(), ...newer];
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return lines.length === 0 && newer.length === 0 ? [] : undefined;
}

interface LogReader extends Pick<Logs, 'refresh'> {
  /** Loads what was added after the last line. */
  catchUp(): Promise<void>;
}

/** Reads lines into the store: all of them, or the new ones. */
function createReader(rpc: RpcClient, store: StoreApi<LogsState>): LogReader {
  /** Level and filter of the lines; the filter of the state may be invalid. */
  let shown: Shown = { level: store.getState().level, filter: '' };
  let round = 0;
  let isCatchingUp = false;

  const ask: AskPage = (cursor) => askPage(rpc, shown, cursor);
  const { fail, addOlder, append } = linesOf(store);

  async function load(target: Shown, mistake?: string): Promise<void> {
    round += 1;
    const mine = round;
    const before = shown;
    shown = target;
    if (store.getState().status === 'idle') store.setState({ status: 'loading' });
    try {
      const page = await ask(null);
      if (mine !== round) return;
      store.setState({
        status: 'ready',
        failure: undefined,
        mistake,
        lines: page.items.toReversed(),
        first: 0,
        current: undefined,
      });
      await addOlder(page.nextCursor, ask, () => mine === round);
    } catch (reason) {
      if (mine !== round) return;
      const { code, message } = asFailure(reason);
      if (code !== 'FILTER_SYNTAX') fail(reason);
      else if (store.getState().status === 'ready' && before.level === target.level) {
        shown = before;
        store.setState({ mistake: message });
      } else await load({ level: target.level, filter: before.filter }, message);
    }
  }

  function refresh(): Promise<void> {
    const { level, filter } = store.getState();
    return load({ level, filter });
  }

  async function catchUp(): Promise<void> {
    const { status, paused, lines } = store.getState();
    if (status === 'idle' || status === 'failed') {
      await refresh();
      return;
    }
    if (status !== 'ready' || paused || isCatchingUp) return;
    isCatchingUp = true;
    const mine = round;
    try {
      const newer = await newSince(lines, ask, () => mine === round);
      if (mine !== round) return;
      if (newer === undefined) await load(shown, store.getState().mistake);
      else append(newer);
    } catch (reason) {
      if (mine === round) fail(reason);
    } finally {
      isCatchingUp = false;
    }
  }

  return { refresh, catchUp };
}

/** Makes the store of log lines. */
export function createLogs(rpc: RpcClient): Logs {
  const store = createStore<LogsState>(() => ({
    level: 'info',
    filter: '',
    paused: false,
    follow: true,
    status: 'idle',
    failure: undefined,
    mistake: undefined,
    lines: [],
    first: 0,
    current: undefined,
    viewedAt: new Date().toISOString(),
  }));
  const errors = createResource(
    () => rpc.call('logs.list', { level: 'error', limit: BADGE_MAX }),
    ERRORS_GAP_MS,
  );
  const { refresh, catchUp } = createReader(rpc, store);
  let watchers = 0;
  let clock: ReturnType<typeof setInterval> | undefined;

  return {
    store,
    errors,
    refresh,
    show(change) {
      const before = store.getState();
      store.setState(change);
      const { level, filter, paused } = store.getState();
      if (level !== before.level || filter !== before.filter) void refresh();
      else if (before.paused && !paused) void catchUp();
    },
    watch() {
      watchers += 1;
      void catchUp();
      clock ??= setInterval(() => void catchUp(), POLL_INTERVAL_MS);
      return () => {
        watchers -= 1;
        if (watchers > 0) return;
        clearInterval(clock);
        clock = undefined;
      };
    },
    viewed: () => store.setState({ viewedAt: new Date().toISOString() }),
    onTick() {
      errors.invalidate();
      if (watchers > 0) void catchUp();
    },
  };
}
