/** Health of each app's sidecar, and the counters. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface HealthStores {
  /** The report of one app, always the same store for the same app. */
  of(appId: string): ResourceStore<Result<'health.get'>>;
  readonly metrics: ResourceStore<Result<'metrics.get'>>;
  /** Counters with the history of the last `rangeSeconds`, always the same store for the same range. */
  over(rangeSeconds: number): ResourceStore<Result<'metrics.get'>>;
  onTick(): void;
}

/** Makes the stores of health. Nothing is loaded before a view shows it. */
export function createHealthStores(rpc: RpcClient): HealthStores {
  const reports = new Map<string, ResourceStore<Result<'health.get'>>>();
  const ranges = new Map<number, ResourceStore<Result<'metrics.get'>>>();
  const metrics = createResource(() => rpc.call('metrics.get', {}));
  return {
    of(appId) {
      const found = reports.get(appId);
      if (found !== undefined) return found;
      const made = createResource(() => rpc.call('health.get', { appId }));
      reports.set(appId, made);
      return made;
    },
    metrics,
    over(rangeSeconds) {
      const found = ranges.get(rangeSeconds);
      if (found !== undefined) return found;
      const made = createResource(() => rpc.call('metrics.get', { rangeSeconds }));
      ranges.set(rangeSeconds, made);
      return made;
    },
    onTick() {
      for (const report of reports.values()) report.invalidate();
      metrics.invalidate();
      for (const range of ranges.values()) range.invalidate();
    },
  };
}
