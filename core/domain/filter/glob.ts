/**
 * Matches text against a pattern in which `*` stands for a run of characters. The time is linear in the text,
 * whatever the pattern is.
 */

/** Makes a test of whole texts. */
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

/** Makes a test whether a text contains the pattern. */
export function partMatch(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  return (text) => findInOrder(parts, text, 0) !== undefined;
}

/** Length from which a part that nearly fits everywhere would make the built-in search slow. */
const LONG_PART = 12;

/** Whether a text contains a part. The time is linear in the text, whatever the part is. */
export function contains(text: string, part: string): boolean {
  return indexOf(part, text, 0) !== -1;
}

function indexOf(part: string, text: string, from: number): number {
  if (part.length < LONG_PART) return text.indexOf(part, from);
  // The part can only be where its beginning is, which the built-in search finds fast.
  const first = text.indexOf(part.slice(0, LONG_PART - 1), from);
  return first === -1 ? -1 : linearIndexOf(part, text, first);
}

/**
 * Index of a part. No character of the text is read twice: after a mismatch, as much of the part as still
 * fits is kept (Knuth, Morris and Pratt).
 */
function linearIndexOf(part: string, text: string, from: number): number {
  const kept = keptAfter(part);
  let fits = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (fits > 0 && part.charCodeAt(fits) !== code) fits = kept[fits - 1] ?? 0;
    if (part.charCodeAt(fits) === code) fits++;
    if (fits === part.length) return at - fits + 1;
  }
  return -1;
}

/** For each length that fitted, how much of the part still fits when the next character does not. */
function keptAfter(part: string): Uint16Array {
  const kept = new Uint16Array(part.length);
  let fits = 0;
  for (let at = 1; at < part.length; at++) {
    while (fits > 0 && part.charCodeAt(fits) !== part.charCodeAt(at)) fits = kept[fits - 1] ?? 0;
    if (part.charCodeAt(fits) === part.charCodeAt(at)) fits++;
    kept[at] = fits;
  }
  return kept;
}

/** Index after the last part; undefined: the parts do not follow one another. */
function findInOrder(parts: readonly string[], text: string, from: number): number | undefined {
  let at = from;
  for (const part of parts) {
    const found = indexOf(part, text, at);
    if (found === -1) return undefined;
    at = found + part.length;
  }
  return at;
}
