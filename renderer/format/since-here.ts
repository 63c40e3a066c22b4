/** The marker "from here on": a time in the filter, after which messages were accepted or changed. */
import { clockSeconds, dayAndTime } from './clock-time.ts';
import { hasRange, withRange } from './histogram.ts';

const HERE = /(?:^|\s)changed:>=(\S+)/;

/** Time of the marker in the filter; undefined: none. */
export function hereOf(filter: string): string | undefined {
  return hasRange(filter) ? HERE.exec(filter)?.[1] : undefined;
}

/** The filter with the marker at this time; undefined removes it. */
export function withHere(filter: string, at: string | undefined): string {
  return withRange(filter, at === undefined ? undefined : `changed:>=${at}`);
}

/** A record of what came or changed from a moment on, with its end once it was stopped. */
export interface Recorded {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The filter that finds what was recorded; undefined: nothing was. */
export function recordedFilter({ since, until }: Recorded): string | undefined {
  if (since === undefined) return undefined;
  return until === undefined ? withHere('', since) : `changed:${since}..${until}`;
}

/** The time of the marker as text: with its day where that is not today, as in a filter that was kept or typed. */
export function hereText(here: string, now = new Date()): string {
  const text = dayAndTime(here);
  const [today = ''] = dayAndTime(now.toISOString()).split(' ');
  return text.startsWith(`${today} `) ? clockSeconds(here) : text;
}
