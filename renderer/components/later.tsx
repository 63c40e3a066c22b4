/** Components that are fetched after the first load: in advance when the page rests, at the latest when they are first shown. */
import { createElement, useEffect, useState, type ComponentType, type ReactElement } from 'react';

/** A component that its file may have to be fetched for. */
export interface LaterComponent<P> {
  (props: P): ReactElement | null;
  /** Fetches the file, so that the component is drawn at once. Rejects without a connection. */
  readonly fetch: () => Promise<void>;
}

/**
 * Makes such a component. It does not wait as `lazy` does: React shows a fallback for 300 ms, however soon the file comes.
 * @param load gives the component of the file
 * @param waiting stands in its place until then; a component gets the same props
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactElement | ComponentType<P> | null = null,
): LaterComponent<P> {
  let found: ComponentType<P> | undefined;
  const get = async (): Promise<ComponentType<P>> => (found ??= await load());
  function Later(props: P): ReactElement | null {
    // The one that was drawn first stays: another one would lose its state.
    const [shown, setShown] = useState<ComponentType<P> | undefined>(() => found);
    const [refused, setRefused] = useState<{ readonly reason: unknown }>();
    useEffect(() => {
      if (shown !== undefined) return undefined;
      let isWanted = true;
      get().then(
        (component) => isWanted && setShown(() => component),
        (reason: unknown) => isWanted && setRefused({ reason }),
      );
      return () => {
        isWanted = false;
      };
    }, [shown]);
    // The boundary around it says so, and tries again.
    if (refused !== undefined) throw refused.reason;
    if (shown !== undefined) return createElement(shown, props);
    return typeof waiting === 'function' ? createElement(waiting, props) : waiting;
  }
  return Object.assign(Later, {
    fetch: async () => {
      await get();
    },
  });
}

/** Runs these now. What fails without a connection is fetched when it is needed. */
export function fetchQuietly(...fetches: readonly (() => Promise<unknown>)[]): void {
  for (const each of fetches) each().catch(() => undefined);
}

/** Runs these as `fetchQuietly` does, when the page rests. */
export function whenIdle(...fetches: readonly (() => Promise<unknown>)[]): void {
  const run = (): void => fetchQuietly(...fetches);
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 });
  else setTimeout(run, 1000);
}
