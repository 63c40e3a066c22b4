/** The machine's clock behind ports/clock.ts. */
import type { Cancel, Clock } from '../ports/clock.ts';

/** Node fires longer timers at once, so longer waits are cut into pieces of this length. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real time. `at` never calls early; a due moment in the past is called in the next turn of the event loop. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    at: (dueMs, run) => callAt(dueMs, run),
  };
}

function callAt(dueMs: number, run: () => void): Cancel {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = dueMs - Date.now();
    timer = setTimeout(
      () => {
        // A timer may fire a millisecond early, and a long wait comes in pieces.
        if (Date.now() < dueMs) wait();
        else run();
      },
      Math.min(Math.max(Math.ceil(leftMs), 0), LONGEST_TIMER_MS),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
