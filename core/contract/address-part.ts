/** A text in an address: the filter that a link opens, the topic of a publish. */

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text with escapes. Half a character, which no address can hold, becomes U+FFFD: names come from apps and scripts. */
export function addressPart(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, '\uFFFD'));
}
