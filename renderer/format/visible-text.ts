/**
 * Foreign text for one line of the page: hidden characters are shown, the direction of writing is kept, and
 * its length is limited.
 */
import { cutPlace } from '../../core/contract/cut-place.ts';

/**
 * Control characters, and those that are invisible or change the direction of writing. A joiner (U+200D) between two
 * pictures is none of them: it makes one picture of both, such as a family.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are what must not stay hidden
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const MAX_LENGTH = 300;

/** The text with every hidden character as its code point in brackets: `o⟨U+202E⟩rders`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** Index in a text of the character that `visible` shows at this index. */
export function indexBehindVisible(text: string, shownAt: number): number {
  let more = 0;
  for (const { index, 0: character } of text.matchAll(HIDDEN)) {
    const start = index + more;
    if (shownAt < start) break;
    const { length } = visible(character);
    if (shownAt < start + length) return index;
    more += length - character.length;
  }
  return shownAt - more;
}

/** The text with visible hidden characters, cut after 300 characters with its length. */
export function visibleShort(text: string): string {
  if (text.length <= MAX_LENGTH) return visible(text);
  return `${visible(text.slice(0, cutPlace(text, MAX_LENGTH)))}… (${text.length.toLocaleString('en-US')})`;
}
