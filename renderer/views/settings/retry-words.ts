/** The waits of a retry policy in a plain sentence. */
import { fill } from '../../copy/fill.ts';
import { RETRY } from '../../copy/settings.ts';
import { count, duration } from '../../format/quantity.ts';

/** Members of a retry policy; times in ms, `maxAttempts` 0 = no limit, `jitter` a share from 0 to 1. */
export interface Policy {
  readonly maxAttempts: number;
  readonly firstDelayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** Number of waits that are listed before the rest is left out. */
const NAMED = 3;

/** Wait after attempt k, from 1, in ms, without jitter. */
export function waitAfter({ firstDelayMs, factor, maxDelayMs }: Policy, k: number): number {
  return Math.min(firstDelayMs * factor ** (k - 1), maxDelayMs);
}

/** Sum of all waits in ms, without jitter; Infinity without a limit of attempts. */
export function wholeWait(policy: Policy): number {
  if (policy.maxAttempts === 0) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let k = 1; k < policy.maxAttempts; k += 1) {
    const wait = waitAfter(policy, k);
    // All further waits are equal.
    if (wait >= policy.maxDelayMs || policy.factor === 1) return sum + wait * (policy.maxAttempts - k);
    sum += wait;
  }
  return sum;
}

/**
 * Sentence about the waits: "Waits: 100 ms, 150 ms, 225 ms … 2.6 s. The last of 10 attempts starts 7.5 s
 * after the first failure …"
 */
export function retryText(policy: Policy): string {
  const { maxAttempts, jitter } = policy;
  if (maxAttempts === 1) return RETRY.once;
  const waits = waitsText(policy);
  if (jitter === 0) return waits;
  return `${waits} ${fill(RETRY.jitter, { share: Number((jitter * 100).toFixed(1)) })}`;
}

function waitsText(policy: Policy): string {
  const { maxAttempts, maxDelayMs } = policy;
  const first = waitAfter(policy, 1);
  const waits = maxAttempts === 0 ? Number.POSITIVE_INFINITY : maxAttempts - 1;
  const total = duration(wholeWait(policy));
  if (waits > 1 && (policy.factor === 1 || first >= maxDelayMs)) {
    if (waits === Number.POSITIVE_INFINITY) return fill(RETRY.endlessConstant, { longest: duration(first) });
    return fill(RETRY.constant, { n: count(waits), wait: duration(first), total });
  }
  const named = Array.from({ length: Math.min(NAMED, waits) }, (_, index) =>
    duration(waitAfter(policy, index + 1)),
  );
  if (waits === Number.POSITIVE_INFINITY)
    return fill(RETRY.endless, { waits: `${named.join(', ')} ${RETRY.gap}`, longest: duration(maxDelayMs) });
  const last = duration(waitAfter(policy, waits));
  const rest = waits <= NAMED ? [] : waits === NAMED + 1 ? [`, ${last}`] : [` ${RETRY.gap} ${last}`];
  return fill(RETRY.all, { waits: `${named.join(', ')}${rest.join('')}`, n: count(maxAttempts), total });
}
