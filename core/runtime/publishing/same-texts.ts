/** Keeps topics and content types as one text in memory: each request brings a copy of its own. */

/**
 * Number of texts from which the table starts empty: texts that differ with each message are not worth
 * keeping.
 */
const MOST = 200;
/** Most characters of a shared text; longer ones are rarely the same. */
const LONGEST = 64;

export class SameTexts {
  readonly #known = new Map<string, string>();

  /** Gives the text back; a text that came before is given as the very string that came then. */
  of(text: string): string {
    if (text.length > LONGEST) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
