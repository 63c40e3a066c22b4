/** A text in an address: the filter that a link opens, the topic of a publish. */

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Escapes a text for an address. Half a surrogate pair, which no address can hold, becomes U+FFFD: apps and
 * scripts choose these names.
 */
export function addressPart(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, '\uFFFD'));
}
