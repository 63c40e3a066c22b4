/** Processes of the apps, and the last lines of each. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface Processes {
  readonly list: ResourceStore<Result<'processes.list'>>;
  /** The newest lines of one app, newest first. */
  linesOf(appId: string): ResourceStore<Result<'processes.logs'>>;
  /** Called when a process was started or has ended. */
  onChange(): void;
}

const LINES = 6;
/** Interval in which a view requests lines, because they arrive without an event on this connection. */
export const LINES_EVERY_MS = 1000;

export function createProcesses(rpc: RpcClient): Processes {
  const list = createResource(() => rpc.call('processes.list', {}));
  const byApp = new Map<string, ResourceStore<Result<'processes.logs'>>>();
  return {
    list,
    linesOf(appId) {
      const known = byApp.get(appId);
      if (known !== undefined) return known;
      const lines = createResource(() => rpc.call('processes.logs', { appId, limit: LINES }));
      byApp.set(appId, lines);
      return lines;
    },
    onChange() {
      list.invalidate();
      for (const lines of byApp.values()) lines.invalidate();
    },
  };
}
