/** Room for a list that a person keeps: it is in memory and written as one record, so its size has a bound. */
import { Refusal } from '../../domain/refusal.ts';

const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * Throws Refusal TOO_LARGE where a list would grow beyond its greatest number. To be called where the list is changed: several callers may
 * add to it at the same time.
 * @param words "views"
 */
export function mustBeFew(
  before: readonly unknown[],
  after: readonly unknown[],
  { most, words }: { readonly most: number; readonly words: string },
): void {
  if (after.length <= most || after.length <= before.length) return;
  const reason = `At most ${most} ${words} are kept.`;
  throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${most} ${words}` });
}

/**
 * Throws Refusal TOO_LARGE where a list would grow beyond the bound. One that an older build let grow further may become smaller.
 * @param words what the list has, for a sentence: "saved requests"
 * @param field parameter that has what is added
 */
export function mustHaveRoom(
  before: readonly unknown[],
  after: readonly unknown[],
  { words, field }: { readonly words: string; readonly field: string },
): void {
  const size = JSON.stringify(after).length;
  if (size <= MOST_CHARACTERS || size <= JSON.stringify(before).length) return;
  const expected = `at most ${MOST_CHARACTERS} characters of all ${words} together`;
  throw new Refusal('TOO_LARGE', { reason: `There is room for ${expected}.` }, { field, expected });
}
