/** The suggestion that completes the word before the cursor, also while the answer for its last letters is on its way. */

/** A suggestion that writes `insert` from the place `from` on. */
interface Suggestion {
  readonly from: number;
  readonly insert: string;
}

/** What was suggested, and for which text. */
export interface Suggested<S extends Suggestion> {
  readonly items: readonly S[];
  /** undefined: the items are earlier filters, which complete no word. */
  readonly askedFor: string | undefined;
  /** Whether the word before the cursor was complete. */
  readonly isWhole: boolean;
}

/** The first suggestion for a word that is begun; undefined: there is none, or the word is complete. */
export function begunWord<S extends Suggestion>(
  { items, askedFor, isWhole }: Suggested<S>,
  text: string,
  cursor: number,
): S | undefined {
  if (askedFor === text) {
    const [first] = items;
    return isWhole || first?.from === cursor ? undefined : first;
  }
  // Whoever types fast presses Tab before the host has answered: what was offered for fewer letters may fit those that came since.
  if (askedFor === undefined || !text.startsWith(askedFor)) return undefined;
  const wordOf = ({ from }: S): string => text.slice(from, cursor);
  // One word can begin another one: `replay`, `replayed`.
  if (items.some((item) => item.insert === wordOf(item))) return undefined;
  return items.find((item) => wordOf(item) !== '' && item.insert.startsWith(wordOf(item)));
}
