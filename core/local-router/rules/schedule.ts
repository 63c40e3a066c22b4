/**
 * Computes the time of the next attempt from the documented waits, minimums, jitter, scale and time to live.
 */

/** Seconds after the first, second … failed attempt; the last value repeats. */
const WAITS_S = [10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200] as const;

const MAX_RETRY_AFTER_S = 3600;
const LAST_WAIT_S = 43_200;

export interface WaitFacts {
  /** Number of failed attempts so far, at least 1. */
  readonly failures: number;
  /** Minimum wait for the answer in seconds. */
  readonly minimumS: number;
  /** Wait of the endpoint's `Retry-After` in seconds. */
  readonly retryAfterS?: number;
  /** Factor for the whole wait. */
  readonly timeScale: number;
  /** Largest share that is added randomly. */
  readonly jitter: number;
  /** Random number from 0 up to 1, not 1. */
  readonly chance: number;
}

/** Milliseconds until the next attempt. */
export function waitMs(facts: WaitFacts): number {
  const planned = WAITS_S[Math.max(facts.failures, 1) - 1] ?? LAST_WAIT_S;
  const asked = Math.min(facts.retryAfterS ?? 0, MAX_RETRY_AFTER_S);
  const seconds = Math.max(planned, facts.minimumS, asked);
  return Math.round(seconds * 1000 * facts.timeScale * (1 + facts.jitter * facts.chance));
}

/** Lifetime of an event in milliseconds from its publish. */
export function lifeMs(minutes: number, timeScale: number): number {
  return Math.max(Math.round(minutes * 60_000 * timeScale), 1);
}

/**
 * Attempts that follow if every one fails, without jitter and minimums.
 * @param from time and number of the next attempt
 */
export function plannedAttempts(
  from: { readonly number: number; readonly atMs: number },
  facts: { readonly maxAttempts: number; readonly expiresMs: number; readonly timeScale: number },
): { readonly number: number; readonly atMs: number }[] {
  const planned: { number: number; atMs: number }[] = [];
  let { number, atMs } = from;
  while (number <= facts.maxAttempts && atMs < facts.expiresMs) {
    planned.push({ number, atMs });
    atMs += waitMs({ failures: number, minimumS: 0, timeScale: facts.timeScale, jitter: 0, chance: 0 });
    number += 1;
  }
  return planned;
}

/** Seconds of a `Retry-After` header: a number, or a date after `nowMs`. Undefined: the text is neither. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(Math.ceil((at - nowMs) / 1000), 0);
}
