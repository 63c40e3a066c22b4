/**
 * Foreign text for one line of the page: hidden characters are shown, the direction of writing is kept, and
 * its length is limited.
 */

/** Control characters, and those that are invisible or change the direction of writing. */
// oxlint-disable-next-line no-control-regex -- these are what must not stay hidden
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const LONGEST = 300;

/** The text with every hidden character as its code point in brackets: `o⟨U+202E⟩rders`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** The text with visible hidden characters, cut after 300 characters with its length. */
export function visibleShort(text: string): string {
  if (text.length <= LONGEST) return visible(text);
  return `${visible(text.slice(0, LONGEST))}… (${text.length.toLocaleString('en-US')})`;
}
