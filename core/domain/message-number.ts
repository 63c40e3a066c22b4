/** The number of a message as lists show it beside the message, which people write in place of its id. */

/** `29`, `#29`, and `1,234` with the commas of a list. */
const NUMBER = /^#?([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)$/;

/** The number that a text names; undefined: it is no number of a message. */
export function messageNumber(text: string): number | undefined {
  const digits = NUMBER.exec(text)?.[1]?.replaceAll(',', '');
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * The number that a value of the filter key `id` names: only with `#`, because `29` alone may be the id that somebody gave an event.
 */
export function hashedNumber(text: string): number | undefined {
  return text.startsWith('#') ? messageNumber(text) : undefined;
}
