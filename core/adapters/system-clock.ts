/** The machine's clock behind ports/clock.ts: steady, whatever happens to the time of day. */
import type { Cancel, Clock } from '../ports/clock.ts';

/** The time of day is looked at so often: a machine that slept, or was set forward, is noticed within it. */
const LONGEST_PIECE_MS = 10_000;

export interface TimeSources {
  /** Milliseconds since 1970, as the machine is set at the moment. */
  readonly wall: () => number;
  /** Milliseconds from an unknown start; never goes back. */
  readonly monotonic: () => number;
}

const MACHINE: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Real time. `at` never calls early; a due moment in the past is called in the next turn of the event loop.
 * `now` follows a time of day that is set forward, and never goes back: when it is set back, `now` goes on from where it
 * was, so that a retry due in a second comes in a second, and what came later also reads later.
 */
export function systemClock(sources: TimeSources = MACHINE): Clock {
  const { wall, monotonic } = sources;
  let offset = wall() - monotonic();
  const now = (): number => {
    const there = wall();
    const elapsed = monotonic();
    if (there > elapsed + offset) offset = there - elapsed;
    return Math.floor(elapsed + offset);
  };
  return { now, monotonic, at: (dueMs, run) => callAt(now, dueMs, run) };
}

function callAt(now: () => number, dueMs: number, run: () => void): Cancel {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(
      () => {
        // A timer may fire a millisecond early, and a long wait comes in pieces.
        if (now() < dueMs) wait();
        else run();
      },
      Math.min(Math.max(Math.ceil(dueMs - now()), 0), LONGEST_PIECE_MS),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
