/**
 * The times of a delivery as one small bar: the wait before the first attempt, the retries, and the last
 * call.
 */
import type { Delivery, DeliveryRow, MessageDetail } from '../../core/contract/message.ts';
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
  const end = lengthOf(endMs);
  // The last call has the length of its own time, so that calls of two rows can be compared with each other and with their numbers.
  const last = Math.max(0, end - lengthOf(lastDurationMs));
  const beforeMs = Math.max(firstMs, endMs - lastDurationMs);
  const first = beforeMs <= 0 ? 0 : (last * Math.max(0, firstMs)) / beforeMs;
  const words = wordsOf({ attempts, lastDurationMs, span: { firstMs, endMs } });
  return { first, last, end, words: words.join('\n') };
}

/** Length of a time in % of the cell. */
function lengthOf(ms: number): number {
  return Math.min(100, PER_DECADE * Math.log10(Math.max(0, ms) + 1));
}

function wordsOf({
  attempts,
  lastDurationMs,
  span: { firstMs, endMs },
}: Required<Pick<DeliveryRow, 'attempts' | 'lastDurationMs' | 'span'>>): readonly string[] {
  return [
    fill(TOOK.waited, { t: duration(firstMs) }),
    ...(attempts > 1 ? [fill(TOOK.attempts, { n: count(attempts), t: duration(endMs - firstMs) })] : []),
    fill(TOOK.call, { t: duration(lastDurationMs) }),
  ];
}

/** The times of the open message's delivery in words, as its bar in the list has them; []: no attempt has ended. */
export function tookWords(
  { at }: Pick<MessageDetail, 'at'>,
  { attempts }: Pick<Delivery, 'attempts'>,
): readonly string[] {
  const [first] = attempts;
  const last = attempts.findLast(({ durationMs }) => durationMs !== undefined);
  if (first === undefined || last?.durationMs === undefined) return [];
  const since = (startedAt: string): number => Math.max(0, Date.parse(startedAt) - Date.parse(at));
  const lastDurationMs = last.durationMs;
  const span = { firstMs: since(first.startedAt), endMs: since(last.startedAt) + lastDurationMs };
  return wordsOf({ attempts: last.number, lastDurationMs, span });
}
