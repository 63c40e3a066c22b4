/** Signals by which a user ends this process, and whether one repeats an earlier one. */
import { systemClock } from '../adapters/system-clock.ts';
import type { Clock } from '../ports/clock.ts';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Time within which a repeated signal (to a process and to its group) counts as the same request. */
const SAME_WISH_MS = 500;

/**
 * Handles signals.
 * @param take `isAgain`: an earlier one came before, and not at the same time
 * @returns restores the earlier handling
 */
export function onSignals(
  take: (signal: NodeJS.Signals, isAgain: boolean) => void,
  clock: Pick<Clock, 'monotonic'> = systemClock(),
): () => void {
  let firstMs: number | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    const now = clock.monotonic();
    const isAgain = firstMs !== undefined && now - firstMs > SAME_WISH_MS;
    firstMs ??= now;
    take(signal, isAgain);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
