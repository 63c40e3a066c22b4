/** The waits of a retry policy in a plain sentence. */
import { retryDelayMs } from '../../../core/contract/retry-delay.ts';
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

/** Sum of all waits in ms, without jitter; Infinity without a limit of attempts. */
export function wholeWait(policy: Policy): number {
  if (policy.maxAttempts === 0) return Number.POSITIVE_INFINITY;
  const waits = policy.maxAttempts - 1;
  if (isConstant(policy)) return waits * retryDelayMs(policy, 1);
  const { firstDelayMs, factor, maxDelayMs } = policy;
  // The waits before the longest one are a geometric series; a loop over a billion of them would freeze the page.
  const growing = Math.min(waits, Math.ceil(Math.log(maxDelayMs / firstDelayMs) / Math.log(factor)));
  return (firstDelayMs * (factor ** growing - 1)) / (factor - 1) + (waits - growing) * maxDelayMs;
}

/** Whether all waits are equal. */
function isConstant({ firstDelayMs, factor, maxDelayMs }: Policy): boolean {
  return factor === 1 || firstDelayMs === 0 || firstDelayMs >= maxDelayMs;
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
  const first = retryDelayMs(policy, 1);
  const waits = maxAttempts === 0 ? Number.POSITIVE_INFINITY : maxAttempts - 1;
  const total = duration(wholeWait(policy));
  if (waits > 1 && isConstant(policy)) {
    if (waits === Number.POSITIVE_INFINITY) return fill(RETRY.endlessConstant, { longest: duration(first) });
    return fill(RETRY.constant, { n: count(waits), wait: duration(first), total });
  }
  const named = Array.from({ length: Math.min(NAMED, waits) }, (_, index) =>
    duration(retryDelayMs(policy, index + 1)),
  );
  if (waits === Number.POSITIVE_INFINITY)
    return fill(RETRY.endless, { waits: `${named.join(', ')} ${RETRY.gap}`, longest: duration(maxDelayMs) });
  const last = duration(retryDelayMs(policy, waits));
  const rest = waits <= NAMED ? [] : waits === NAMED + 1 ? [`, ${last}`] : [` ${RETRY.gap} ${last}`];
  return fill(RETRY.all, { waits: `${named.join(', ')}${rest.join('')}`, n: count(maxAttempts), total });
}
