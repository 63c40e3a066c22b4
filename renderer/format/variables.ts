/** Variables in a text, as far as the page has to know them; the host fills them in. */

/**
 * The text with each variable replaced by characters that are JSON inside and outside quotes; all positions
 * stay the same.
 */
export function withoutVariables(text: string): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(/(?<!\\)\{\{[^{}]*\}\}/g, (found) => '1'.repeat(found.length));
}
