/** Words of commands that a person copies into a shell. */

/** Quotes a word for a POSIX shell, where it needs quotes. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
