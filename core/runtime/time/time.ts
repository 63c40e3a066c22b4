/** Times as text, ISO 8601 with milliseconds in UTC. */

/** Number of cached texts of the last times; the low bits of the milliseconds are the index. */
const KEPT = 256;
const keptMs = new Float64Array(KEPT).fill(Number.NaN);
const keptTexts: string[] = Array.from({ length: KEPT }, () => '');

/**
 * `ms` since 1970 as ISO text. Texts of a quarter of a second are cached: under load many events share a millisecond, and the start of an
 * attempt is formatted again.
 */
export function iso(ms: number): string {
  // A bit mask, because the remainder of a division takes far longer for a number of this size.
  const at = ms & (KEPT - 1);
  const kept = keptMs[at] === ms ? keptTexts[at] : undefined;
  if (kept !== undefined) return kept;
  const text = written(ms);
  keptMs[at] = ms;
  keptTexts[at] = text;
  return text;
}

/** The last formatted second, and its text up to the milliseconds. */
let second = Number.NaN;
let upToMs = '';
/** The last second that a date can have; only its first millisecond is one. */
const LAST = 8.64e12;
/** End of a text, by its milliseconds. */
const ENDS = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** Formats a time. Only the first one of a second uses Date, which takes four times as long as the rest. Throws RangeError. */
function written(ms: number): string {
  const of = Math.floor(ms / 1000);
  const end = ENDS[ms - of * 1000];
  if (end === undefined || of >= LAST) return new Date(ms).toISOString();
  if (of !== second) {
    upToMs = new Date(ms).toISOString().slice(0, -end.length);
    second = of;
  }
  const text = upToMs + end;
  remember(ms - of * 1000, ms, text);
  return text;
}

/** Number of cached times of the last texts; the milliseconds are the index. */
const READ = 1000;
const readMs = new Float64Array(READ);
const readTexts: string[] = Array.from({ length: READ }, () => '');
const ISO_LENGTH = '0000-00-00T00:00:00.000Z'.length;
const ZERO = 0x30;

/** ISO text as ms since 1970. Times of a second are cached, as with `iso`. */
export function msOf(at: string): number {
  if (at.length !== ISO_LENGTH) return Date.parse(at);
  const place = 100 * digit(at, 20) + 10 * digit(at, 21) + digit(at, 22);
  if (readTexts[place] === at) return readMs[place] ?? Number.NaN;
  const ms = Date.parse(at);
  if (place >= 0 && place < READ) remember(place, ms, at);
  return ms;
}

function remember(place: number, ms: number, at: string): void {
  readMs[place] = ms;
  readTexts[place] = at;
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - ZERO;
}
