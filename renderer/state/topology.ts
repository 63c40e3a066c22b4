/** Loaded parts of the runtime: apps, taps, topics, subscriptions, components. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface Topology {
  readonly apps: ResourceStore<Result<'apps.list'>>;
  readonly taps: ResourceStore<Result<'taps.list'>>;
  readonly topics: ResourceStore<Result<'topics.list'>>;
  readonly subscriptions: ResourceStore<Result<'subscriptions.list'>>;
  readonly components: ResourceStore<Result<'components.list'>>;
  /** Called when subscriptions or components changed: all are loaded again. */
  onChange(): void;
  /** Called when counts changed. */
  onTick(): void;
}

/** Makes the lists. */
export function createTopology(rpc: RpcClient): Topology {
  const apps = createResource(() => rpc.call('apps.list', {}));
  const taps = createResource(() => rpc.call('taps.list', {}));
  const topics = createResource(() => rpc.call('topics.list', {}));
  const subscriptions = createResource(() => rpc.call('subscriptions.list', {}));
  const components = createResource(() => rpc.call('components.list', {}));
  return {
    apps,
    taps,
    topics,
    subscriptions,
    components,
    onChange() {
      apps.invalidate();
      taps.invalidate();
      topics.invalidate();
      subscriptions.invalidate();
      components.invalidate();
    },
    onTick() {
      taps.invalidate();
      topics.invalidate();
      subscriptions.invalidate();
    },
  };
}
