/** Formats times of day, in local time or UTC, and spans as a clock shows them. */

/** Whether times of day are in UTC instead of local time. */
let isUtc = false;

/** Sets the time zone of all times of day. */
export function setTimeZone(zone: 'local' | 'utc'): void {
  isUtc = zone === 'utc';
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
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}`;
}

/**
 * The last moment at which it was this time of day, `14:32` or `14:32:08.412`, in UTC as filters have it; undefined: it is no time of
 * day. Nothing has happened later today yet, so that a later time is yesterday's.
 */
export function lastMoment(clock: string): string | undefined {
  const moment = new Date();
  const nowMs = moment.getTime();
  const [, hours = '', minutes = '', seconds = '0', parts = ''] =
    /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(clock) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const at = [Number(hours), Number(minutes), Number(seconds), Number(parts.padEnd(3, '0'))] as const;
  if (isUtc) moment.setUTCHours(...at);
  else moment.setHours(...at);
  if (moment.getTime() <= nowMs) return moment.toISOString();
  // The hour is set again, because a day may have 23 or 25 of them.
  if (isUtc) moment.setUTCDate(moment.getUTCDate() - 1);
  else moment.setDate(moment.getDate() - 1);
  if (!isUtc) moment.setHours(...at);
  return moment.toISOString();
}

/** Day and time of day, `2026-03-01 14:32:08`, for what may be of another day; local unless UTC was chosen. */
export function dayAndTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = isUtc
    ? time.toISOString().slice(0, 10)
    : `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
  return `${day} ${clockSeconds(iso)}`;
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
  const rest = `${twoDigits(Math.floor((seconds % 3600) / 60))}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
