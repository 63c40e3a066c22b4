/**
 * The times of a delivery as one small bar: the wait before the first attempt, the retries, and the last
 * call.
 */
import type { DeliveryRow } from '../../core/contract/message.ts';
import { TOOK } from '../copy/messages.ts';
import { fill } from '../copy/fill.ts';
import { count, duration } from './quantity.ts';

export interface DurationBar {
  /** Positions in % of the cell: the end of the wait, the start of the last call, and its end. */
  readonly first: number;
  readonly last: number;
  readonly end: number;
  /** All times in words. */
  readonly words: string;
}

/** Percent of the cell for a factor of ten, so that 1 ms to 100 s fit. */
const PER_DECADE = 20;

/** The bar of a delivery; undefined: no attempt has ended. */
export function durationBar(delivery: DeliveryRow | undefined): DurationBar | undefined {
  if (delivery?.lastDurationMs === undefined) return undefined;
  const { attempts, lastDurationMs } = delivery;
  const { firstMs, endMs } = delivery.span ?? { firstMs: 0, endMs: lastDurationMs };
  const end = Math.min(100, PER_DECADE * Math.log10(endMs + 1));
  const at = (ms: number): number => (endMs <= 0 ? 0 : (end * Math.min(endMs, Math.max(0, ms))) / endMs);
  const words = [
    fill(TOOK.waited, { t: duration(firstMs) }),
    ...(attempts > 1 ? [fill(TOOK.attempts, { n: count(attempts), t: duration(endMs - firstMs) })] : []),
    fill(TOOK.call, { t: duration(lastDurationMs) }),
  ];
  return {
    first: at(firstMs),
    last: Math.max(at(firstMs), at(endMs - lastDurationMs)),
    end,
    words: words.join('\n'),
  };
}
