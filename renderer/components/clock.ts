/** One timer for all countdowns of the page. */
import { useSyncExternalStore } from 'react';

const takers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  // A page in the background is not visible, and the first tick in front is at most a second away.
  if (document.hidden) return;
  now = Date.now();
  for (const take of takers) take();
}

function subscribe(take: () => void): () => void {
  takers.add(take);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    takers.delete(take);
    if (takers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const still = (): (() => void) => () => undefined;

/**
 * The present time in ms, updated once a second while `moves`. The calling component is drawn again every
 * second; for a text inside a larger one use `Ticking`.
 */
export function useNow(moves = true): number {
  const read = (): number => (moves ? now : 0);
  return useSyncExternalStore(moves ? subscribe : still, read, read);
}

export interface TickingProps {
  /** Makes the text for a moment in ms. */
  readonly text: (nowMs: number) => string;
}

/** A text that changes with time. Only the text is drawn again, and only when it changes. */
export function Ticking({ text }: TickingProps): string {
  return useSyncExternalStore(subscribe, () => text(now));
}
