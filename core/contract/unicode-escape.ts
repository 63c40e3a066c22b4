/**
 * The text with each UTF-16 unit that the pattern finds as its escape, `\u001b`.
 * @param pattern global, and without the flag u
 */
export function escapeUnits(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
