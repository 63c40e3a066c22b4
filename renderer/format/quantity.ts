/** Formats durations, sizes and counts. */
import { duration, trimTenth } from '../../core/contract/duration-text.ts';

export { counted } from '../../core/contract/count-text.ts';
export { duration } from '../../core/contract/duration-text.ts';

const NUMBER = new Intl.NumberFormat('en-US');

/** A count with separators: `86310` -> `86,310`. */
export function count(n: number): string {
  return NUMBER.format(Math.round(n));
}

/** Messages per second: whole numbers from 10 on, one decimal below. */
export function rate(perSecond: number): string {
  if (perSecond < 0.05) return '0';
  return perSecond >= 9.95 ? count(perSecond) : perSecond.toFixed(1);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Elapsed time: whole seconds within the first minute, then whole minutes, then hours. A page that draws the
 * seconds of an hour is never at rest.
 */
export function elapsed(ms: number): string {
  if (ms < 1000) return '0 s';
  const unitMs = ms < MINUTE_MS ? 1000 : ms < HOUR_MS ? MINUTE_MS : HOUR_MS;
  return duration(Math.floor(ms / unitMs) * unitMs);
}

/** A size: `412 B`, `1.2 kB`, `4.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${trimTenth(bytes / 1000)} kB`;
  return `${trimTenth(bytes / 1_000_000)} MB`;
}
