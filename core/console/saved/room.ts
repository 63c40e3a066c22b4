/** Limits of a saved list: it is in memory and written as one record. */
import { Refusal } from '../../domain/refusal.ts';

const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Throws Refusal TOO_LARGE if a list would exceed its maximum number. Call it where the list is changed: several callers may add to it at
 * the same time.
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
 * Throws Refusal TOO_LARGE if a list would exceed the limit. A list that an older build let grow further may become smaller.
 * @param words items of the list, for a sentence: "saved requests"
 * @param field parameter with the added item
 * @param most limit in characters
 */
export function mustHaveRoom(
  before: readonly object[],
  after: readonly object[],
  { words, field }: { readonly words: string; readonly field: string },
  most = MAX_CHARACTERS,
): void {
  const size = sizeOfAll(after);
  if (size <= most || size <= sizeOfAll(before)) return;
  const expected = `at most ${most} characters of all ${words} together`;
  throw new Refusal('TOO_LARGE', { reason: `There is room for ${expected}.` }, { field, expected });
}

/** Characters of items that were measured: a change of a list measures the one that is new. */
const sizes = new WeakMap<object, number>();

/** Characters of a list as it is written. */
function sizeOfAll(items: readonly object[]): number {
  let size = 1 + Math.max(1, items.length);
  for (const item of items) size += sizeOf(item);
  return size;
}

/** Characters of an item as it is written. Items of a saved list are never changed, only replaced. */
function sizeOf(item: object): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = JSON.stringify(item).length;
  sizes.set(item, size);
  return size;
}
