/** Where a long text is cut. */

/**
 * The place at which a text of more than `most` characters is cut: never between the halves of a surrogate pair, which would leave a
 * character that cannot be drawn or sent.
 */
export function cutPlace(text: string, most: number): number {
  const last = text.charCodeAt(most - 1);
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

/** The beginning of what another program said, in one line of at most `most` characters. */
export function beginningOf(text: string, most: number): string {
  // White space may be most of it, and the rest of a long text is not read for a few words.
  const line = text
    .slice(0, 20 * most)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortened(line, most);
}

/** The text; of one that is longer its first characters, `most` of them, with "…". */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, cutPlace(text, most))}…`;
}
