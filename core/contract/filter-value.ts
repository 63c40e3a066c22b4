/** Writes a text as a value of the filter language. */

/** A text in quotes. The filter language has exactly two escapes, so a line break or a tab stands as it is. */
export const quotedValue = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** A value in the filter language. */
export function filterValue(value: string): string {
  return /^[\w.\-/]+$/.test(value) ? value : quotedValue(value);
}
