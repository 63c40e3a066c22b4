/**
 * The text with each UTF-16 unit that the pattern finds as its escape, `\u001b`.
 * @param pattern global, and without the flag u
 */
export function escapeUnits(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Line ends, codes that a terminal obeys, and marks that turn the direction of a text. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text as one line that a terminal shows as it is. */
export function oneLine(text: string): string {
  return escapeUnits(text, CONTROLS);
}
