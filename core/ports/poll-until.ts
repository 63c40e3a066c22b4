/** Waits for something that nobody reports. */
import type { Clock } from './clock.ts';

/**
 * Checks the condition again and again.
 * @returns whether it holds; false: the time is over
 */
export async function pollUntil(
  clock: Clock,
  { everyMs, limitMs }: { readonly everyMs: number; readonly limitMs: number },
  holds: () => boolean,
): Promise<boolean> {
  const until = clock.monotonic() + limitMs;
  while (!holds()) {
    if (clock.monotonic() >= until) return false;
    await new Promise<void>((go) => clock.at(clock.now() + everyMs, go));
  }
  return true;
}
