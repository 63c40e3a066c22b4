/** The mock app of the chosen app: its state, its presets, and calls that wait for a person's answer. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface MockApps {
  readonly app: ResourceStore<Result<'mockApp.get'>>;
  readonly presets: ResourceStore<Result<'mockApp.presets'>>;
  readonly waiting: ResourceStore<Result<'mockApp.waiting'>>;
  /** Called when another app is chosen, or when everything may have changed. */
  onChange(): void;
  onTick(): void;
}

/**
 * Makes the stores of the mock app.
 * @param appId the shown app; undefined: the host's first
 */
export function createMockApps(rpc: RpcClient, appId: () => string | undefined): MockApps {
  const which = (): { readonly appId?: string } => {
    const id = appId();
    return id === undefined ? {} : { appId: id };
  };
  const app = createResource(() => rpc.call('mockApp.get', which()));
  const presets = createResource(() => rpc.call('mockApp.presets', which()));
  const waiting = createResource(() => rpc.call('mockApp.waiting', which()));
  return {
    app,
    presets,
    waiting,
    onChange() {
      app.invalidate();
      presets.invalidate();
      waiting.invalidate();
    },
    onTick() {
      app.invalidate();
      waiting.invalidate();
    },
  };
}
