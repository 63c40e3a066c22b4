/** The marker "from here on": a moment in the filter, from which only what came or changed is shown. */
import { hasRange, withRange } from './histogram.ts';

const HERE = /(?:^|\s)changed:>=(\S+)/;

/** The moment of the marker, as it is in the filter; undefined: there is none. */
export function hereOf(filter: string): string | undefined {
  return hasRange(filter) ? HERE.exec(filter)?.[1] : undefined;
}

/** The filter with the marker at this moment; undefined takes it away. */
export function withHere(filter: string, at: string | undefined): string {
  return withRange(filter, at === undefined ? undefined : `changed:>=${at}`);
}
