/** Moments as text, ISO 8601 with milliseconds in UTC. */

let lastMs = Number.NaN;
let lastText = '';

/** `ms` since 1970 as ISO text. The last one is kept: under load many events share a millisecond. */
export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** ISO text as ms since 1970. */
export function msOf(at: string): number {
  return Date.parse(at);
}
