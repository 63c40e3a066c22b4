/** Keeps equal topics and content types as one string in memory, because each request brings its own copy. */

/**
 * Number of texts from which the table starts empty: texts that differ with each message are not worth
 * keeping.
 */
const MAX = 200;
/** Maximum number of characters of a shared text; longer ones are rarely equal. */
const MAX_LENGTH = 64;

export class SameTexts {
  readonly #known = new Map<string, string>();

  /** Returns the text; for a known text the string object of its first occurrence. */
  of(text: string): string {
    if (text.length > MAX_LENGTH) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
