/** A value from the host: loading, ready or failed; it is loaded again when it is stale. */
import { createStore } from 'zustand/vanilla';
import { errorText } from '../../core/contract/error-text.ts';
import { RpcFailure } from '../client/rpc-client.ts';
import type { ReadableStore } from './store.ts';

export interface Resource<T> {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  /** The last value, which stays while a newer one is loading or failed. */
  readonly value: T | undefined;
  readonly failure: RpcFailure | undefined;
  readonly at: number;
}

export interface ResourceStore<T> {
  readonly store: ReadableStore<Resource<T>>;
  /**
   * Loads now; a call during loading loads once more after it. Never rejects: the failure is in the store.
   */
  refresh(): Promise<void>;
  /** Marks the value as stale: it is loaded while a view shows it, else at the next watch. */
  invalidate(): void;
  /** Keeps the value fresh while a view shows it; returns the function that ends it. */
  watch(): () => void;
  /** Takes a value from the answer of another method. */
  accept(value: T): void;
}

/** Any thrown value as the failure that views show. */
export function asFailure(reason: unknown): RpcFailure {
  if (reason instanceof RpcFailure) return reason;
  return new RpcFailure(errorText(reason), { code: 'INTERNAL' });
}

/** Shortest time between two requests after changes, in ms. */
const GAP_MS = 250;

/** Makes a resource from a request to the host. Nothing is loaded before the first watch or refresh. */
export function createResource<T>(load: () => Promise<T>, gapMs = GAP_MS): ResourceStore<T> {
  const store = createStore<Resource<T>>(() => ({
    status: 'idle',
    value: undefined,
    failure: undefined,
    at: 0,
  }));
  let watchers = 0;
  let stale = true;
  let running: Promise<void> | undefined;
  let again = false;
  let askedAt = 0;
  let later: ReturnType<typeof setTimeout> | undefined;

  async function askOnce(): Promise<void> {
    stale = false;
    askedAt = Date.now();
    if (store.getState().value === undefined) store.setState({ status: 'loading', failure: undefined });
    try {
      const value = await load();
      store.setState({ status: 'ready', value, failure: undefined, at: Date.now() });
    } catch (reason) {
      stale = true;
      const failure = asFailure(reason);
      // The connection bar reports a host that is away; the value is loaded again when it is back.
      if (failure.code === 'CONNECTION_LOST') {
        // There was no answer, so the next change need not wait: the page asks before its connection is open.
        askedAt = 0;
        return;
      }
      store.setState({ status: 'failed', failure });
    }
  }

  async function ask(): Promise<void> {
    do {
      again = false;
      await askOnce();
    } while (again);
    running = undefined;
  }

  function refresh(): Promise<void> {
    if (running !== undefined) {
      again = true;
      return running;
    }
    running = ask();
    return running;
  }

  return {
    store,
    refresh,
    invalidate() {
      stale = true;
      if (watchers === 0 || later !== undefined) return;
      const wait = askedAt + gapMs - Date.now();
      if (wait <= 0) {
        void refresh();
        return;
      }
      later = setTimeout(() => {
        later = undefined;
        if (watchers > 0) void refresh();
      }, wait);
    },
    watch() {
      watchers += 1;
      if (stale) void refresh();
      return () => {
        watchers -= 1;
      };
    },
    accept(value) {
      stale = false;
      store.setState({ status: 'ready', value, failure: undefined, at: Date.now() });
    },
  };
}
