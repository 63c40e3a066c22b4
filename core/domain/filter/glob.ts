/** Text in which `*` stands for a run of characters. Linear in the text, whatever the pattern. */

/** Test of a whole text. */
export function wholeMatch(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return (text) => text === pattern;
  const inner = parts.slice(1, -1);
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    const end = text.length - last.length;
    const after = findInOrder(inner, text, first.length);
    return after !== undefined && after <= end;
  };
}

/** Test whether a text holds the pattern anywhere. */
export function partMatch(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  return (text) => findInOrder(parts, text, 0) !== undefined;
}

/** Index after the last part; undefined: they do not follow one another. */
function findInOrder(parts: readonly string[], text: string, from: number): number | undefined {
  let at = from;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return undefined;
    at = found + part.length;
  }
  return at;
}
