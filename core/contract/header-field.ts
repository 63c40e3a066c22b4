/** What an HTTP header may consist of. */

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Any byte but the controls: a line end would begin another header, or another message. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/** @param text each character is a byte */
export function isHeaderValue(text: string): boolean {
  return VALUE.test(text);
}
