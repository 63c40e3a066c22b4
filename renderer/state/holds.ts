/** Hold rules, and the messages that are held now. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createStore } from 'zustand/vanilla';
import { createResource, type ResourceStore } from './resource.ts';
import type { ReadableStore } from './store.ts';

export interface Holds {
  readonly rules: ResourceStore<Result<'holds.list'>>;
  /** What is held longest, in its order; `total` counts all. */
  readonly queue: ResourceStore<Result<'holds.queue'>>;
  /** How far letting everything go is; undefined: it is not under way. */
  readonly releasing: ReadableStore<Releasing>;
  /** Lets go of everything that is held now, part by part. Rejects with RpcFailure. */
  releaseAll(total: number): Promise<Released>;
  stopReleasing(): void;
  onChange(): void;
  onTick(): void;
}

/** The result of letting everything go. */
export interface Released {
  readonly released: number;
  /** Released messages that another hold has caught since. */
  readonly again: number;
}

export interface Releasing {
  readonly progress: { readonly done: number; readonly of: number } | undefined;
}

export const HELD_FILTER = 'state:held';
const SHOWN = 500;
/** Released in one call. */
const PART = 500;

/** Makes the stores of holds. */
export function createHolds(rpc: RpcClient): Holds {
  const rules = createResource(() => rpc.call('holds.list', {}));
  const queue = createResource(() => rpc.call('holds.queue', { limit: SHOWN }));
  const releasing = createStore<Releasing>(() => ({ progress: undefined }));
  let isStopped = false;

  /** @param gone takes the ids of what is let go, with since when each was held */
  async function releasePart(gone: Map<string, string>): Promise<number> {
    const { items } = await rpc.call('holds.queue', { limit: PART });
    const deliveryIds = items.flatMap(({ deliveryId }) => deliveryId ?? []);
    const messages = items.filter(({ deliveryId }) => deliveryId === undefined);
    for (const { deliveryId, since } of items) if (deliveryId !== undefined) gone.set(deliveryId, since);
    let n = deliveryIds.length === 0 ? 0 : (await rpc.call('deliveries.release', { deliveryIds })).changed;
    for (const { row } of messages) {
      if (isStopped) break;
      n += (await rpc.call('deliveries.release', { messageId: row.messageId })).changed;
    }
    return n;
  }

  async function releaseAll(total: number): Promise<Released> {
    if (releasing.getState().progress !== undefined) return { released: 0, again: 0 };
    isStopped = false;
    const gone = new Map<string, string>();
    let done = 0;
    releasing.setState({ progress: { done, of: total } });
    try {
      // What is caught meanwhile stays: as many go as were there.
      while (done < total && !isStopped) {
        const n = await releasePart(gone);
        if (n === 0) break;
        done += n;
        releasing.setState({ progress: { done: Math.min(done, total), of: total } });
      }
    } finally {
      releasing.setState({ progress: undefined });
      await queue.refresh();
    }
    const { items = [] } = queue.store.getState().value ?? {};
    // Held again, and since another moment: what could not be released is not among them.
    const again = items.filter(({ deliveryId = '', since }) => (gone.get(deliveryId) ?? since) !== since);
    return { released: done, again: again.length };
  }

  return {
    rules,
    queue,
    releasing,
    releaseAll,
    stopReleasing() {
      isStopped = true;
    },
    onChange() {
      rules.invalidate();
      queue.invalidate();
    },
    onTick() {
      queue.invalidate();
    },
  };
}
