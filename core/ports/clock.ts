/** Time as the runtime knows it; the real one is adapters/system-clock.ts, tests drive one by hand. */

/** Idempotent. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds from an unknown start; never goes back. For durations. */
  monotonic(): number;
  /** Calls `run` once at or after `dueMs` (same scale as `now`). */
  at(dueMs: number, run: () => void): Cancel;
}
