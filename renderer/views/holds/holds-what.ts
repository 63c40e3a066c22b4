/** What a hold in the form is going to catch, in words: one without a filter catches everything, and its form asks nothing. */
import type { HoldPoint } from '../../../core/contract/hold.ts';
import { HOLD_EDITOR } from '../../copy/holds.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';

/** Messages of the last minute: all, and those that match the filter. */
export interface LastMinute {
  readonly all: number;
  readonly matching: number;
}

/** The filter that counts them. */
export function lastMinute(filter: string): string {
  return filter.trim() === '' ? 'age:<1m' : `(${filter.trim()}) age:<1m`;
}

/**
 * "Holds every delivery to every app from now on. In the last minute there were 34 messages."
 * @param counted undefined: not counted yet, or the filter cannot be read
 */
export function holdsWhat(
  { at, filter, times }: { readonly at: HoldPoint; readonly filter: string; readonly times: string },
  counted: LastMinute | undefined,
): string {
  const isAll = filter.trim() === '';
  const words = isAll ? HOLD_EDITOR.holdsAll : HOLD_EDITOR.holdsMatching;
  const what = /^[1-9]\d*$/.test(times) ? fill(words.next[at], { n: times }) : words.each[at];
  if (counted === undefined) return what;
  const { all, matching } = counted;
  const amount = fill(isAll ? HOLD_EDITOR.inLastMinute : HOLD_EDITOR.matchedInLastMinute, {
    n: count(all),
    matching: count(matching),
  });
  return `${what} ${amount}`;
}
