/** Decides how long to wait after a failed attempt, and when no further one is made. */
import { retryDelayMs } from '../contract/retry-delay.ts';

export interface RetryPolicy {
  /** Maximum number of attempts, the first one included; 0 = no limit. */
  readonly maxAttempts: number;
  readonly firstDelayMs: number;
  /** Factor between one wait and the next; 1 = constant. */
  readonly factor: number;
  readonly maxDelayMs: number;
  /** Share of the wait, 0 to 1, by which it is randomly shortened or lengthened. */
  readonly jitter: number;
}

/** A policy of a Resiliency document. */
export interface DeclaredRetry extends RetryPolicy {
  /**
   * HTTP statuses of an app's answer to one message that are tried again, as ranges; absent: all failures.
   */
  readonly statuses?: readonly (readonly [from: number, to: number])[];
}

/**
 * Milliseconds to wait after attempt number `attempt` of the round (from 1).
 * @param random01 in [0, 1); only used with jitter
 */
export function delayAfter(policy: RetryPolicy, attempt: number, random01: number): number {
  const delay = retryDelayMs(policy, attempt);
  return Math.max(0, Math.round(delay * (1 + policy.jitter * (2 * random01 - 1))));
}

/**
 * Whether an answer ends the round at once, because the policy does not retry its status.
 * @param status HTTP status of the app's answer to one message; undefined: something else failed
 */
export function isFinal({ statuses }: DeclaredRetry, status: number | undefined): boolean {
  if (statuses === undefined || status === undefined) return false;
  return !statuses.some(([from, to]) => status >= from && status <= to);
}

/** Whether the round is used up after this many attempts. */
export function isExhausted(policy: RetryPolicy, attemptsInRound: number): boolean {
  return policy.maxAttempts > 0 && attemptsInRound >= policy.maxAttempts;
}
