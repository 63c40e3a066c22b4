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

/** From this length on a part that nearly fits at every place would make the built-in search slow. */
const LONG_PART = 12;

/** True where a text holds a part. Linear in the text, whatever the part. */
export function holds(text: string, part: string): boolean {
  return indexOf(part, text, 0) !== -1;
}

function indexOf(part: string, text: string, from: number): number {
  if (part.length < LONG_PART) return text.indexOf(part, from);
  // The part can only be where its beginning is, and that is found by the quick search of the engine.
  const first = text.indexOf(part.slice(0, LONG_PART - 1), from);
  return first === -1 ? -1 : linearIndexOf(part, text, first);
}

/** Never looks at a character of the text twice: where a part fails, as much of it as still fits is kept (Knuth, Morris and Pratt). */
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

/** For each length that fitted: how much of the part still fits when the next character does not. */
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

/** Index after the last part; undefined: they do not follow one another. */
function findInOrder(parts: readonly string[], text: string, from: number): number | undefined {
  let at = from;
  for (const part of parts) {
    const found = indexOf(part, text, at);
    if (found === -1) return undefined;
    at = found + part.length;
  }
  return at;
}
