/** How the wait before a retry grows. */

/** Members of a retry policy that decide its waits; times in ms. */
export interface RetryDelays {
  readonly firstDelayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
}

/** Milliseconds to wait after attempt number `attempt` of the round (from 1), without jitter. */
export function retryDelayMs({ firstDelayMs, factor, maxDelayMs }: RetryDelays, attempt: number): number {
  // Without the limit the power of a late attempt would be infinite, and 0 times that is no number.
  const grown = firstDelayMs * Math.min(factor ** (Math.max(attempt, 1) - 1), Number.MAX_VALUE);
  return Math.min(grown, maxDelayMs);
}
