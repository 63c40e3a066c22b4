/**
 * Percent escapes of a path or query. Bytes that are not UTF-8 become U+FFFD, as in the event that carries
 * them.
 */

const RUNS = /(?:%[0-9a-f]{2})+/gi;
const BROKEN = /%(?![0-9a-f]{2})/i;

/**
 * Resolves the escapes of a text; `+` is a space. undefined: a `%` is not followed by two hexadecimal digits.
 */
export function unescaped(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (BROKEN.test(spaced)) return undefined;
  return spaced.replaceAll(RUNS, bytesAsText);
}

/** The path with escapes that a router can read: those that are not UTF-8 are replaced by U+FFFD. */
export function withReadableEscapes(path: string): string {
  if (!path.includes('%')) return path;
  return path.replaceAll(RUNS, (run) => {
    const text = bytesAsText(run);
    return text.includes('\uFFFD') ? encodeURIComponent(text) : run;
  });
}

function bytesAsText(run: string): string {
  return Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8');
}
