/** The newest log lines of a filter, and how many errors came since somebody looked. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConsoleEvent, LogEntry, Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface LogsState {
  readonly level: LogEntry['level'];
  readonly filter: string;
  readonly limit: number;
  readonly paused: boolean;
  readonly errorsSinceViewed: number;
}

export interface Logs {
  readonly store: StoreApi<LogsState>;
  readonly lines: ResourceStore<Result<'logs.list'>>;
  show(change: Partial<Pick<LogsState, 'level' | 'filter' | 'limit' | 'paused'>>): void;
  viewed(): void;
  onEvents(events: readonly ConsoleEvent[]): void;
}

export const LOG_PAGE = 200;
export const LOG_MOST = 500;

/** Makes the store of log lines. */
export function createLogs(rpc: RpcClient): Logs {
  const store = createStore<LogsState>(() => ({
    level: 'info',
    filter: '',
    limit: LOG_PAGE,
    paused: false,
    errorsSinceViewed: 0,
  }));
  const lines = createResource(() => {
    const { level, filter, limit } = store.getState();
    return rpc.call('logs.list', filter === '' ? { level, limit } : { level, filter, limit });
  });
  return {
    store,
    lines,
    show(change) {
      store.setState(change);
      void lines.refresh();
    },
    viewed: () => store.setState({ errorsSinceViewed: 0 }),
    onEvents(events) {
      const added = events.filter((event) => event.type === 'log.added');
      if (added.length === 0) return;
      const errors = added.filter(({ entry }) => entry.level === 'error').length;
      if (errors > 0) {
        store.setState(({ errorsSinceViewed }) => ({ errorsSinceViewed: errorsSinceViewed + errors }));
      }
      if (!store.getState().paused) lines.invalidate();
    },
  };
}
