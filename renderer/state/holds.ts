/** Hold rules, and the messages that are held now. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface Holds {
  readonly rules: ResourceStore<Result<'holds.list'>>;
  /** What is held longest, in its order; `total` counts all. */
  readonly queue: ResourceStore<Result<'holds.queue'>>;
  onChange(): void;
  onTick(): void;
}

export const HELD_FILTER = 'state:held';
const SHOWN = 200;

/** Makes the stores of holds. */
export function createHolds(rpc: RpcClient): Holds {
  const rules = createResource(() => rpc.call('holds.list', {}));
  const queue = createResource(() => rpc.call('holds.queue', { limit: SHOWN }));
  return {
    rules,
    queue,
    onChange() {
      rules.invalidate();
      queue.invalidate();
    },
    onTick() {
      queue.invalidate();
    },
  };
}
