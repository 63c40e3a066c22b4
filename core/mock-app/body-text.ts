/**
 * Text of the body of an answer. The same body is checked, compared with that of the rule before and sent with every answer, and one of 240,000
 * members takes a tenth of a second to write, so it is written once.
 */

const texts = new WeakMap<object, string>();

/** A string as it is, any other value as JSON. */
export function bodyText(body: unknown): string | undefined {
  if (typeof body === 'string' || body === undefined) return body;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body);
  texts.set(body, text);
  return text;
}
