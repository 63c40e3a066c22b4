/** What an app says of an event: three words, each with its number on the wire. */

/** In the order of their numbers. */
const WORDS: readonly string[] = ['SUCCESS', 'RETRY', 'DROP'];
/** A number that stands for no word. */
const OTHER = WORDS.length;

/** The word of a number; a number without one as it is. */
export function statusWord(status: number): string | number {
  return WORDS[status] ?? status;
}

/** The number of a word. Nothing said is SUCCESS, as over HTTP; any other word is a number that stands for none. */
export function statusNumber(word: unknown): number {
  if (word === undefined || word === null || word === '') return 0;
  const at = typeof word === 'string' ? WORDS.indexOf(word) : -1;
  return at < 0 ? OTHER : at;
}
