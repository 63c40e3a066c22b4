/** One timer for every countdown on the page. */
import { useSyncExternalStore } from 'react';

const takers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(take: () => void): () => void {
  takers.add(take);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of takers) each();
    }, 1000);
  }
  return () => {
    takers.delete(take);
    if (takers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const still = (): (() => void) => () => undefined;

/** The present moment in ms, moving once a second while `moves`. */
export function useNow(moves = true): number {
  return useSyncExternalStore(moves ? subscribe : still, () => (moves ? now : 0));
}
