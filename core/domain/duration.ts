/** Reads and writes durations in Go's form: `10s`, `1m30s`, `1.5s`, `0`. */

const MS_PER: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
/** Each digit belongs to one part of the pattern only, so that long rows of digits are read in linear time. */
const PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Largest duration that Go has (2^63 nanoseconds), in milliseconds. */
const MAX_MS = 9_223_372_036_854;

/** Milliseconds of a duration; undefined: the text is none. A bare number is none, except 0. */
export function parseDuration(text: string): number | undefined {
  const signed = /^[+-]/.test(text);
  const sign = text.startsWith('-') ? -1 : 1;
  const rest = signed ? text.slice(1) : text;
  if (rest === '0') return 0;
  if (rest === '') return undefined;
  let sum = 0;
  let at = 0;
  while (at < rest.length) {
    PART.lastIndex = at;
    const part = PART.exec(rest);
    if (part === null) return undefined;
    sum += Number(part[1]) * (MS_PER[part[2] ?? ''] ?? Number.NaN);
    at = PART.lastIndex;
  }
  return sum > MAX_MS ? undefined : sign * sum;
}

/** A duration as text: `5s` for whole seconds, else `700ms`. */
export function durationText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
