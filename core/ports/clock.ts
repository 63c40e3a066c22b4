/** Time for the runtime. The real clock is adapters/system-clock.ts; tests control one by hand. */

/** Cancels a timer. Idempotent. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds from an unknown start, which never decrease. For durations. */
  monotonic(): number;
  /** Calls `run` once at or after `dueMs` (same scale as `now`). */
  at(dueMs: number, run: () => void): Cancel;
}
