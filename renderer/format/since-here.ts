/** The marker "from here on": a moment in the filter, after which messages came or changed. */
import { hasRange, withRange } from './histogram.ts';

const HERE = /(?:^|\s)changed:>=(\S+)/;

/** The moment of the marker in the filter; undefined: there is none. */
export function hereOf(filter: string): string | undefined {
  return hasRange(filter) ? HERE.exec(filter)?.[1] : undefined;
}

/** The filter with the marker at this moment; undefined removes it. */
export function withHere(filter: string, at: string | undefined): string {
  return withRange(filter, at === undefined ? undefined : `changed:>=${at}`);
}
