/** Event-router components, and the embedded router with its deliveries, tokens, certificates and faults. */
import type { Params, Result } from '../../../core/contract/console.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { createResource, type ResourceStore } from '../../state/resource.ts';

/** Filter and page of the list of deliveries. */
export type RouterListing = Pick<Params<'eventRouter.deliveries'>, 'states' | 'text'> & {
  /** Cursors of the earlier pages; absent: the newest page. */
  readonly older?: readonly string[];
};

/** Rows of the deliveries table. */
export const ROUTER_PAGE = 50;

export interface EventRouterStores {
  readonly status: ResourceStore<Result<'eventRouter.status'>>;
  readonly subscriptions: ResourceStore<Result<'eventRouter.subscriptions'>>;
  readonly tokens: ResourceStore<Result<'eventRouter.token'>>;
  readonly topics: ResourceStore<Result<'eventRouter.topics'>>;
  readonly certificate: ResourceStore<Result<'eventRouter.certificate'>>;
  readonly faults: ResourceStore<Result<'eventRouter.faults'>>;
  readonly deliveries: ResourceStore<Result<'eventRouter.deliveries'>>;
  readonly breakpoints: ResourceStore<Result<'eventRouter.breakpoints'>>;
  readonly deadLetters: ResourceStore<Result<'eventRouter.deliveries'>>;
  /** One delivery in full; the same store for the same id, for the id of the last call. */
  delivery(deliveryId: string): ResourceStore<Result<'eventRouter.deliveries'>>;
  /** Sets what `deliveries` lists. */
  list(listing: RouterListing): void;
  listing(): RouterListing;
  onChange(): void;
}

/** Makes the stores of the Event router screen. Nothing is loaded before a view shows it. */
export function createEventRouterStores(rpc: RpcClient): EventRouterStores {
  let listing: RouterListing = {};
  let opened: { readonly id: string; readonly store: EventRouterStores['deliveries'] } | undefined;
  const status = createResource(() => rpc.call('eventRouter.status', {}));
  const subscriptions = createResource(() => rpc.call('eventRouter.subscriptions', {}));
  const tokens = createResource(() => rpc.call('eventRouter.token', {}));
  const topics = createResource(() => rpc.call('eventRouter.topics', {}));
  const certificate = createResource(() => rpc.call('eventRouter.certificate', {}));
  const faults = createResource(() => rpc.call('eventRouter.faults', {}));
  const deliveries = createResource(() => {
    const { older = [], ...query } = listing;
    const cursor = older.at(-1);
    const more = cursor === undefined ? {} : { cursor };
    return rpc.call('eventRouter.deliveries', { ...query, ...more, limit: ROUTER_PAGE });
  });
  const breakpoints = createResource(() => rpc.call('eventRouter.breakpoints', {}));
  const deadLetters = createResource(() => rpc.call('eventRouter.deliveries', { of: 'dead-letters' }));
  const all = {
    status,
    subscriptions,
    tokens,
    topics,
    certificate,
    faults,
    deliveries,
    breakpoints,
    deadLetters,
  };
  return {
    ...all,
    delivery(deliveryId) {
      if (opened?.id !== deliveryId)
        opened = {
          id: deliveryId,
          store: createResource(() => rpc.call('eventRouter.deliveries', { deliveryId })),
        };
      return opened.store;
    },
    list(next) {
      listing = next;
      void deliveries.refresh();
    },
    listing: () => listing,
    onChange() {
      for (const each of Object.values(all)) each.invalidate();
      opened?.store.invalidate();
    },
  };
}
