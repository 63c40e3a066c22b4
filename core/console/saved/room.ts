/** Room for a list that a person keeps: it is in memory and written as one record, so its size has a bound. */
import { Refusal } from '../../domain/refusal.ts';

const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The refusal of one more of what has a greatest number. @param words "views" */
export function tooMany(most: number, words: string): Refusal {
  const reason = `At most ${most} ${words} are kept.`;
  return new Refusal('TOO_LARGE', { reason }, { expected: `at most ${most} ${words}` });
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
