/** Holds, and the messages that they hold now. */
import type { Result } from '../../core/contract/console.ts';
import type { HeldItem } from '../../core/contract/hold.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createStore } from 'zustand/vanilla';
import { createResource, type ResourceStore } from './resource.ts';
import type { ReadableStore } from './store.ts';

export interface Holds {
  readonly list: ResourceStore<Result<'holds.list'>>;
  /** The longest held messages, in order; `total` counts all. */
  readonly queue: ResourceStore<Result<'holds.queue'>>;
  /** Progress of releasing everything; undefined: it is not running. */
  readonly releasing: ReadableStore<Releasing>;
  /** Releases everything that is held now, part by part. Rejects with RpcFailure. */
  releaseAll(total: number): Promise<Released>;
  stopReleasing(): void;
  onChange(): void;
  onTick(): void;
}

/** Result of releasing everything. */
export interface Released {
  readonly released: number;
  /** Number of released messages that another hold has caught since. */
  readonly again: number;
}

export interface Releasing {
  readonly progress: { readonly done: number; readonly of: number } | undefined;
}

export const HELD_FILTER = 'state:held';
const SHOWN = 500;
/** Maximum number of messages that one call releases. */
const PART = 500;

/**
 * Number of messages that another hold has caught since they were released.
 * @param released what was held before: a message that was held at its publish had no delivery yet
 * @param now what is held by now
 */
export function countHeldAgain(released: readonly HeldItem[], now: readonly HeldItem[]): number {
  const deliveries = new Map(released.map(({ deliveryId, since }) => [deliveryId, since]));
  const atPublish = released.filter(({ deliveryId }) => deliveryId === undefined);
  const published = new Set(atPublish.map(({ row }) => row.messageId));
  const again = now.filter(({ deliveryId, since, row }) => {
    if (deliveryId === undefined) return false;
    // A delivery that could not be released has the old time.
    return published.has(row.messageId) || (deliveries.get(deliveryId) ?? since) !== since;
  });
  return new Set(again.map(({ row }) => row.messageId)).size;
}

/** Makes the stores of holds. */
export function createHolds(rpc: RpcClient): Holds {
  const list = createResource(() => rpc.call('holds.list', {}));
  const queue = createResource(() => rpc.call('holds.queue', { limit: SHOWN }));
  const releasing = createStore<Releasing>(() => ({ progress: undefined }));
  let isStopped = false;

  /**
   * Releases one part.
   * @param gone receives what is released
   */
  async function releasePart(gone: HeldItem[]): Promise<number> {
    const { items } = await rpc.call('holds.queue', { limit: PART });
    const deliveryIds = items.flatMap(({ deliveryId }) => deliveryId ?? []);
    const messages = items.filter(({ deliveryId }) => deliveryId === undefined);
    gone.push(...items.filter(({ deliveryId }) => deliveryId !== undefined));
    let n = deliveryIds.length === 0 ? 0 : (await rpc.call('deliveries.release', { deliveryIds })).changed;
    for (const item of messages) {
      if (isStopped) break;
      gone.push(item);
      n += (await rpc.call('deliveries.release', { messageId: item.row.messageId })).changed;
    }
    return n;
  }

  async function releaseAll(total: number): Promise<Released> {
    if (releasing.getState().progress !== undefined) return { released: 0, again: 0 };
    isStopped = false;
    const gone: HeldItem[] = [];
    let done = 0;
    releasing.setState({ progress: { done, of: total } });
    try {
      // Messages that are caught meanwhile stay: the loop releases as many as there were.
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
    return { released: done, again: countHeldAgain(gone, items) };
  }

  return {
    list,
    queue,
    releasing,
    releaseAll,
    stopReleasing() {
      isStopped = true;
    },
    onChange() {
      list.invalidate();
      queue.invalidate();
    },
    onTick() {
      queue.invalidate();
    },
  };
}
