/** The log lines of a level and filter, kept up with the host, and how many errors came since somebody looked. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogEntry, Result } from '../../core/contract/console.ts';
import type { RpcClient, RpcFailure } from '../client/rpc-client.ts';
import { newerThan } from './log-lines.ts';
import { asFailure, createResource, type ResourceStore } from './resource.ts';

export interface LogsState {
  readonly level: LogEntry['level'];
  readonly filter: string;
  readonly paused: boolean;
  /** The newest line stays in sight. */
  readonly follow: boolean;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly failure: RpcFailure | undefined;
  /** Why the filter cannot be read; the lines are then those of the last one that could. */
  readonly mistake: string | undefined;
  /** Oldest first. */
  readonly lines: readonly LogEntry[];
  /** Place of the first line: falls when older ones come before it, grows when it leaves. */
  readonly first: number;
  /** Place of the line that the keyboard is on. */
  readonly current: number | undefined;
  /** Moment of the last look, ISO; errors after it are counted on the navigation. */
  readonly viewedAt: string;
}

export interface Logs {
  readonly store: StoreApi<LogsState>;
  show(change: Partial<Pick<LogsState, 'level' | 'filter' | 'paused' | 'follow' | 'current'>>): void;
  /** Asks for everything again. Never rejects: the failure is in the store. */
  refresh(): Promise<void>;
  /** Somebody shows the lines from now on; returns how to stop. */
  watch(): () => void;
  viewed(): void;
  /** The newest errors, for the count on the navigation. */
  readonly errors: ResourceStore<Result<'logs.list'>>;
  /** Something happened in the host; the stream of a console carries no log lines. */
  onTick(): void;
}

/** Most lines the host keeps, and this side with it. */
export const LOG_MOST = 5000;
const PAGE = 500;
/** Pages that a burst may fill between two looks; beyond it the list starts again. */
const BURST_PAGES = 4;
/** Lines come without a change of counts too, so somebody who watches is served by a clock as well. */
const LOOK_MS = 1000;
const BADGE_MOST = 100;
const ERRORS_GAP_MS = 3000;

/** What lines are asked for. */
type Shown = Pick<LogsState, 'level' | 'filter'>;
/** A page of lines, newest first. */
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
  /** Puts pages before the lines while `isCurrent`, until there are enough or no more. */
  addOlder(cursor: string | null, ask: AskPage, isCurrent: () => boolean): Promise<void>;
  /** Puts lines, oldest first, after those that are there. */
  append(newer: readonly LogEntry[]): void;
}

/** What happens to lines that were read, or could not be. */
function linesOf(store: StoreApi<LogsState>): LineStore {
  return {
    fail(reason) {
      const failure = asFailure(reason);
      if (failure.code !== 'CONNECTION_LOST') store.setState({ status: 'failed', failure });
      // While the host is away the connection bar speaks; the lines are asked for again when it is back.
      else if (store.getState().status === 'loading') store.setState({ status: 'idle' });
    },
    async addOlder(cursor, ask, isCurrent) {
      let next = cursor;
      while (next !== null && isCurrent() && store.getState().lines.length < LOG_MOST) {
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
        // Somebody who reads further up keeps what is read, up to twice the room.
        const leaving = all.length > LOG_MOST * (follow ? 1 : 2) ? all.length - LOG_MOST : 0;
        return { lines: all.slice(leaving), first: first + leaving };
      });
    },
  };
}

/** The lines since the last one, oldest first; undefined: they are not to be had in a few pages. */
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
  /** Asks for what came since the last line. */
  catchUp(): Promise<void>;
}

/** Reads lines into the store: all of them again, or those that came since. */
function createReader(rpc: RpcClient, store: StoreApi<LogsState>): LogReader {
  /** What the lines are of; the filter of the state may be one that cannot be read. */
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
    () => rpc.call('logs.list', { level: 'error', limit: BADGE_MOST }),
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
      clock ??= setInterval(() => void catchUp(), LOOK_MS);
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
