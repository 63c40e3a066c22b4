/** Implements ports/clock.ts with the machine's clock. It is steady even if the time of day is changed. */
import type { Cancel, Clock } from '../ports/clock.ts';

/** Longest timer: within it a machine that slept, or whose time was set forward, is noticed. */
const MAX_PIECE_MS = 10_000;

export interface TimeSources {
  /** Milliseconds since 1970 by the machine's current time of day. */
  readonly wall: () => number;
  /** Milliseconds from an unknown start; never goes back. */
  readonly monotonic: () => number;
}

const MACHINE: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Real time. `at` never calls early; a time in the past is called in the next turn of the event loop. `now` follows a time of day that is
 * set forward, and never goes back. If it is set back, `now` continues from its old value, so that a retry due in a second starts in a
 * second, and later events have later times.
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
        // A timer may fire a millisecond early, and a long wait is split into several timers.
        if (now() < dueMs) wait();
        else run();
      },
      Math.min(Math.max(Math.ceil(dueMs - now()), 0), MAX_PIECE_MS),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
