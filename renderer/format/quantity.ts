/** Formats times, durations, sizes and counts. */
import { duration, trimTenth } from '../../core/contract/spoken-duration.ts';

export { counted } from '../../core/contract/spoken-count.ts';
export { duration } from '../../core/contract/spoken-duration.ts';

/** Whether times of day are in UTC instead of local time. */
let isUtc = false;

/** Sets the time zone of all times of day. */
export function writeTimesIn(zone: 'local' | 'utc'): void {
  isUtc = zone === 'utc';
}

const NUMBER = new Intl.NumberFormat('en-US');

function two(n: number): string {
  return String(n).padStart(2, '0');
}

/** A count with separators: `86310` -> `86,310`. */
export function count(n: number): string {
  return NUMBER.format(Math.round(n));
}

/** Messages per second: whole numbers from 10 on, one decimal below. */
export function rate(perSecond: number): string {
  if (perSecond < 0.05) return '0';
  return perSecond >= 9.95 ? count(perSecond) : perSecond.toFixed(1);
}

/** Time of day with milliseconds, `14:32:08.412`; an invalid time is returned unchanged. */
export function clockTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${clockSeconds(iso)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** Time of day, `14:32:08`; local unless UTC was chosen. */
export function clockSeconds(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  if (isUtc) return time.toISOString().slice(11, 19);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** UTC for tooltips, `2026-03-01 14:32:08.412 UTC`. */
export function utcTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** Remaining or elapsed time in whole seconds, `00:41`, `1:02:05`. */
export function clockSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Elapsed time: whole seconds within the first minute, then whole minutes, then hours. A page that draws the
 * seconds of an hour is never at rest.
 */
export function goneBy(ms: number): string {
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
