/** The marker "from here on": a time in the filter, after which messages were accepted or changed. */
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
