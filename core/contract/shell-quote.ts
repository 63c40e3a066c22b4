/** Words of commands that a person copies into a shell. */

/**
 * Control characters other than line ends. A terminal into which they are pasted takes them for keys: one erases what stands before it, one
 * gives up the command, so that the rest of the word would be a command of its own.
 */
const KEYS = /(?:(?!\n)\p{Cc})+/gu;

/** Whether a text has characters that a terminal would take for keys. */
export function hasKeys(text: string): boolean {
  return text.search(KEYS) !== -1;
}

/** A text in parts, of which every second one has control characters alone; the first one has none, so that it may be empty. */
export function splitKeys(text: string): readonly { readonly part: string; readonly isKeys: boolean }[] {
  const keys = text.match(KEYS) ?? [];
  return text.split(KEYS).flatMap((part, index) => {
    const next = keys[index];
    const plain = { part, isKeys: false };
    return next === undefined ? [plain] : [plain, { part: next, isKeys: true }];
  });
}

/** Quotes a word for a POSIX shell, where it needs quotes. Of control characters only line ends stand in it as they are. */
export function shellQuote(text: string): string {
  // zsh takes a word that begins with = for the name of a program.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  const quoted = text.replaceAll("'", "'\\''");
  return `'${quoted.replaceAll(KEYS, (keys) => `'"$(printf '${octals(keys)}')"'`)}'`;
}

/** The bytes of control characters in UTF-8, as `printf` reads them. */
function octals(keys: string): string {
  return keys.replaceAll(/./gsu, (key) => {
    const code = key.charCodeAt(0);
    const bytes = code < 0x80 ? [code] : [0xc2, code];
    return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
}
