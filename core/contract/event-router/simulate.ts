/** `eventRouter.simulate`: a delivery played through the router's schedule. */
import type { RouterOutcome } from './local-router.ts';

/** A status, or what happened instead of one. */
export type SimulatedAnswer = number | 'timeout' | 'refused' | 'no-name' | 'tls';

/** Nothing is sent. Defaults: 30 attempts, 1,440 minutes, the router's time scale, answers of 503. */
export interface SimulateParams {
  readonly maxDeliveryAttempts?: number;
  readonly eventTimeToLiveInMinutes?: number;
  readonly timeScale?: number;
  /** Waits as they are with probation on. */
  readonly probation?: boolean;
  /** Answers of the endpoint to the first, second … attempt; the last one repeats. */
  readonly answers?: readonly SimulatedAnswer[];
}

/** Times in ms after the publish. */
export interface SimulatedAttempt {
  readonly number: number;
  readonly atMs: number;
  readonly answer: SimulatedAnswer;
  readonly outcome?: RouterOutcome;
  readonly rule: string;
  /** Until the next one. */
  readonly waitMs?: number;
}

export interface SimulateResult {
  readonly attempts: readonly SimulatedAttempt[];
  /** Where the time to live ends. */
  readonly expiresMs: number;
  readonly end: {
    readonly state: 'processed' | 'parked' | 'expired';
    readonly rule: string;
    readonly atMs: number;
  };
}
