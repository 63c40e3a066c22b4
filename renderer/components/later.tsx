/** Components that are fetched after the first load: in advance when the page rests, at the latest when they are first shown. */
import { createElement, lazy, useState, type ComponentType, type ReactElement } from 'react';

/** A component that its file may have to be fetched for. */
export interface LaterComponent<P> {
  (props: P): ReactElement;
  /** Fetches the file, so that the component is drawn at once. Rejects without a connection. */
  readonly fetch: () => Promise<void>;
}

/**
 * Makes such a component. Until its file is there it waits as `lazy` does: React then shows a fallback for 300 ms, however soon the file comes.
 * @param load gives the component of the file
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): LaterComponent<P> {
  let found: ComponentType<P> | undefined;
  const get = async (): Promise<ComponentType<P>> => (found ??= await load());
  const Waiting = lazy(async () => ({ default: await get() }));
  function Later(props: P): ReactElement {
    // The one that was drawn first stays: another one would lose its state.
    const [shown] = useState<ComponentType<P>>(() => found ?? Waiting);
    return createElement(shown, props);
  }
  return Object.assign(Later, {
    fetch: async () => {
      await get();
    },
  });
}

/** Runs these when the page rests. What fails without a connection is fetched when it is needed. */
export function whenIdle(...fetches: readonly (() => Promise<unknown>)[]): void {
  const fetchQuietly = (): void => {
    for (const each of fetches) each().catch(() => undefined);
  };
  if ('requestIdleCallback' in window) requestIdleCallback(fetchQuietly, { timeout: 5000 });
  else setTimeout(fetchQuietly, 1000);
}
