/** State of the connection to the host, the host's description, and its continuous reports. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RuntimeChanged, SystemDescription } from '../../core/contract/console.ts';
import type { LinkState } from '../client/link.ts';

export interface ConnectionState {
  readonly link: LinkState;
  /** Whether the link was ever open; before that nothing can be lost. */
  readonly wasOpen: boolean;
  /** How often the link has opened. Requests that failed meanwhile are repeated when it grows. */
  readonly openings: number;
  readonly system: SystemDescription | undefined;
  readonly runtime: RuntimeChanged | undefined;
  /** Id of the start of the host whose events arrive; undefined: not known yet. */
  readonly epoch: string | undefined;
  /** Why the stream could not be opened, in the host's words. */
  readonly streamFailure: string | undefined;
  /** Set when the host was started again: its lists may have lost messages. Lists that were loaded again for another reason have all of them. */
  readonly reloaded: boolean;
  readonly dismissedBanners: readonly string[];
}

export type ConnectionStore = StoreApi<ConnectionState>;

/** The store of the connection before anything is known. */
export function createConnectionStore(link: LinkState): ConnectionStore {
  return createStore<ConnectionState>(() => ({
    link,
    wasOpen: link.status === 'open',
    openings: 0,
    system: undefined,
    runtime: undefined,
    epoch: undefined,
    streamFailure: undefined,
    reloaded: false,
    dismissedBanners: [],
  }));
}

/** The banners of the host as they are now; before its first report those that its description names. */
export function presentBanners({
  runtime,
  system,
}: Pick<ConnectionState, 'runtime' | 'system'>): SystemDescription['banners'] | undefined {
  return runtime?.banners ?? system?.banners;
}

/** Resolves when the link is open, at once if it is. */
export function whenOpen(connection: ConnectionStore): Promise<void> {
  return new Promise((resolve) => {
    const isOpen = (): boolean => connection.getState().link.status === 'open';
    if (isOpen()) {
      resolve();
      return;
    }
    const stop = connection.subscribe(() => {
      if (!isOpen()) return;
      stop();
      resolve();
    });
  });
}
