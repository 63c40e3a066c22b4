/** Lists of words as text. */

/** Alternatives as text: `a`, `a or b`, `a, b or c`. */
export function eitherOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** All of a list as text: `a`, `a and b`, `a, b and c`. */
export function allOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** The first words of a list, and how many are left: `a, b and 498 more`. */
export function firstOf(words: readonly string[], most: number): string {
  const left = words.length - most;
  return `${words.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
