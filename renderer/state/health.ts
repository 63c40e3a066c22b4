/** Health of the chosen app's sidecar, and the counters. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface HealthStores {
  readonly report: ResourceStore<Result<'health.get'>>;
  readonly metrics: ResourceStore<Result<'metrics.get'>>;
  onTick(): void;
}

/** Makes the stores of health; `appId` undefined: the host's first app. */
export function createHealthStores(rpc: RpcClient, appId: () => string | undefined): HealthStores {
  const report = createResource(() => {
    const id = appId();
    return rpc.call('health.get', id === undefined ? {} : { appId: id });
  });
  const metrics = createResource(() => rpc.call('metrics.get', {}));
  return {
    report,
    metrics,
    onTick() {
      report.invalidate();
      metrics.invalidate();
    },
  };
}
