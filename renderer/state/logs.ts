/** The newest log lines of a filter, and how many errors came since somebody looked. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogEntry, Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface LogsState {
  readonly level: LogEntry['level'];
  readonly filter: string;
  readonly limit: number;
  readonly paused: boolean;
  /** Moment of the last look, ISO; errors after it are counted on the navigation. */
  readonly viewedAt: string;
}

export interface Logs {
  readonly store: StoreApi<LogsState>;
  readonly lines: ResourceStore<Result<'logs.list'>>;
  show(change: Partial<Pick<LogsState, 'level' | 'filter' | 'limit' | 'paused'>>): void;
  viewed(): void;
  /** The newest errors, for the count on the navigation. */
  readonly errors: ResourceStore<Result<'logs.list'>>;
  /** Something happened in the host; the stream of a console carries no log lines. */
  onTick(): void;
}

export const LOG_PAGE = 200;
export const LOG_MOST = 500;
const BADGE_MOST = 100;
const ERRORS_GAP_MS = 3000;

/** Makes the store of log lines. */
export function createLogs(rpc: RpcClient): Logs {
  const store = createStore<LogsState>(() => ({
    level: 'info',
    filter: '',
    limit: LOG_PAGE,
    paused: false,
    viewedAt: new Date().toISOString(),
  }));
  const lines = createResource(() => {
    const { level, filter, limit } = store.getState();
    return rpc.call('logs.list', filter === '' ? { level, limit } : { level, filter, limit });
  });
  const errors = createResource(
    () => rpc.call('logs.list', { level: 'error', limit: BADGE_MOST }),
    ERRORS_GAP_MS,
  );
  return {
    store,
    lines,
    errors,
    show(change) {
      store.setState(change);
      void lines.refresh();
    },
    viewed: () => store.setState({ viewedAt: new Date().toISOString() }),
    onTick() {
      errors.invalidate();
      if (!store.getState().paused) lines.invalidate();
    },
  };
}
