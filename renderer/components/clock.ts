/** One timer for every countdown on the page. */
import { useSyncExternalStore } from 'react';

const takers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  // Nobody sees a page in the background; the first tick in front is a second away at most.
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
 * The present moment in ms, moving once a second while `moves`: whoever calls this is drawn anew every second. For a text within
 * something larger use `Ticking`.
 */
export function useNow(moves = true): number {
  return useSyncExternalStore(moves ? subscribe : still, () => (moves ? now : 0));
}

export interface TickingProps {
  /** The text at a moment in ms. */
  readonly text: (nowMs: number) => string;
}

/** A text that moves with the time: it alone is drawn anew, and only when it becomes another one. */
export function Ticking({ text }: TickingProps): string {
  return useSyncExternalStore(subscribe, () => text(now));
}
