/** Variables in a text, as far as the page must know them: the host fills them in. */

/** The text with something in place of each variable that is JSON inside and outside of quotes; every place stays. */
export function withoutVariables(text: string): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(/(?<!\\)\{\{[^{}]*\}\}/g, (found) => '1'.repeat(found.length));
}
