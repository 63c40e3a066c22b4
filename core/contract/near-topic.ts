/** Whether one topic may be a slip of another: both the runtime and the console name such a subscription for a message that nobody got. */

import { slips } from './nearest.ts';

/** Letters by which one of two similar names may be longer: `order` and `orders`. */
const MAX_MORE = 2;
/** Letters that the shorter of two names has at least, if the other one may be longer: `a` and `ab` are two names. */
const MIN_LENGTH = 3;
/** Letters that two words have at least of which one may be a slip of the pen of the other: `cart` and `card` are two words. */
const MIN_MISTYPED = 5;
const SEPARATOR = /[-_.]/g;

/**
 * Whether two different names differ in upper and lower case, white space, `-`, `_` and `.`, in an end of few letters alone, or in one letter
 * of a long word. A number is never a slip: `orders1` and `orders2` are two names.
 */
export function isNearTopic(one: string, other: string): boolean {
  const a = one.trim();
  const b = other.trim();
  // The lengths tell most names apart, at little cost.
  if (one === other || Math.abs(a.length - b.length) > MAX_MORE) return false;
  const [short, long] = a.length > b.length ? [plain(b), plain(a)] : [plain(a), plain(b)];
  if (short === '') return false;
  if (short.replaceAll('-', '') === long.replaceAll('-', '')) return true;
  if (digitsOf(short) !== digitsOf(long)) return false;
  return (short.length >= MIN_LENGTH && long.startsWith(short)) || isMistyped(short, long);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(SEPARATOR, '-');
}

/**
 * Whether one letter of a single word was changed, added, left out or swapped with its neighbour, other than the first, by which many words
 * differ: `payment.failed` and `payment.mailed`. Short words are names of their own: `team-a.orders` and `team-b.orders`.
 */
function isMistyped(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, i) =>
    word === others[i] ? [] : [[word, others[i] ?? ''] as const],
  );
  const [first] = different;
  if (first === undefined || different.length > 1) return false;
  const [word, meant] = first;
  if (word[0] !== meant[0] || Math.min(word.length, meant.length) < MIN_MISTYPED) return false;
  return slips(word, meant, 1) <= 1;
}

function wordsOf(plainName: string): readonly string[] {
  return plainName.split(/[-/]/);
}

function digitsOf(name: string): string {
  return name.replaceAll(/\D/g, '');
}
