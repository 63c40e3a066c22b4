/** Moments as text, ISO 8601 with milliseconds in UTC. */

/** Texts of the last moments that were asked for, each at the place that the last digits of its milliseconds give it. */
const KEPT = 256;
const keptMs = new Float64Array(KEPT).fill(Number.NaN);
const keptTexts: string[] = Array.from({ length: KEPT }, () => '');

/**
 * `ms` since 1970 as ISO text. Those of a quarter of a second are kept: under load many events share a millisecond, and an attempt
 * says again when it began.
 */
export function iso(ms: number): string {
  // As bits, for the rest of a division of a number of this size takes far longer.
  const at = ms & (KEPT - 1);
  const kept = keptMs[at] === ms ? keptTexts[at] : undefined;
  if (kept !== undefined) return kept;
  const text = new Date(ms).toISOString();
  keptMs[at] = ms;
  keptTexts[at] = text;
  return text;
}

let lastReadText = '';
let lastReadMs = Number.NaN;

/** ISO text as ms since 1970. The last one is kept, as with `iso`. */
export function msOf(at: string): number {
  if (at !== lastReadText) {
    lastReadText = at;
    lastReadMs = Date.parse(at);
  }
  return lastReadMs;
}
