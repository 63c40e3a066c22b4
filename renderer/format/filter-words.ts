/** Splits the text of a filter for drawing. Only the host knows its meaning and mistakes. */

export interface FilterPart {
  readonly kind: 'key' | 'word' | 'quoted' | 'plain';
  readonly text: string;
  /** Index of its first character. */
  readonly from: number;
}

/** A quoted text, a key with its operator, a word of the language, or anything else up to the next space. */
const PART =
  /(?<quoted>"(?:\\.|[^"\\])*"?)|(?<key>-?[A-Za-z]+(?:\.[^\s".()[\]:=<>!]+|\[\d+\])*(?::?(?:!=|>=|<=|=|>|<)|:))|(?<word>\b(?:OR|AND|NOT)\b(?![^\s()"])|[()])|(?<plain>\s+|[^\s"()]+)/g;

/** The parts of a filter in order; together they are the whole text. */
export function filterParts(text: string): readonly FilterPart[] {
  return [...text.matchAll(PART)].map(({ groups = {}, index, 0: whole }) => {
    const kind = (['quoted', 'key', 'word'] as const).find((each) => groups[each] !== undefined);
    return { kind: kind ?? 'plain', text: whole, from: index };
  });
}

export interface MarkedPart extends FilterPart {
  readonly isWrong: boolean;
}

/**
 * The parts of a filter, with the wrong characters as separate parts.
 * @param wrong counts characters from 0
 */
export function markedParts(
  text: string,
  wrong: { readonly from: number; readonly length: number } | undefined,
): readonly MarkedPart[] {
  const parts = filterParts(text);
  if (wrong === undefined) return parts.map((part) => ({ ...part, isWrong: false }));
  const end = wrong.from + Math.max(1, wrong.length);
  const cut = parts.flatMap((part) => {
    const cuts = [part.from, wrong.from, end, part.from + part.text.length]
      .filter((at) => at >= part.from && at <= part.from + part.text.length)
      .toSorted((a, b) => a - b);
    return cuts.slice(0, -1).flatMap((from, place) => {
      const piece = text.slice(from, cuts[place + 1]);
      if (piece === '') return [];
      return [{ kind: part.kind, text: piece, from, isWrong: from >= wrong.from && from < end }];
    });
  });
  // A mistake at the very end has no character that could be marked.
  if (wrong.from < text.length) return cut;
  return [...cut, { kind: 'plain', text: '\u00a0', from: text.length, isWrong: true }];
}

/** A bare word with a comparison: `total>100`. */
const COMPARED =
  /^(?<minus>-?)(?<path>[A-Za-z_]\w*(?:\.[\w-]+|\[\d+\])*)(?<op>!=|>=|<=|=|>|<)(?<value>[^=<>!].*)$/;

/** A comparison with spaces around its operator, or with `==`; a quoted text stays as it is. */
const SPACED =
  /(?<quoted>"(?:\\.|[^"\\])*"?)|(?<path>[A-Za-z_][\w.[\]-]*)\s*(?<op>!=|>=|<=|==?|>|<)\s*(?=[^\s=<>!()])/g;

/** The text with each comparison as one word: `total == 100` becomes `total=100`. */
function joinedComparisons(text: string): string {
  return text.replaceAll(SPACED, (whole: string, ...rest: unknown[]) => {
    const { path, op } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    return path === undefined ? whole : `${path}${op === '==' ? '=' : op}`;
  });
}

/**
 * Suggestion for a bare word with a comparison: `total>100` searches for that text, `data.total>100` compares the value.
 * @returns undefined: the filter has no such word
 */
export function meantFilter(text: string): string | undefined {
  const joined = joinedComparisons(text);
  let isOther = joined !== text;
  const meant = joined.replaceAll(/"(?:\\.|[^"\\])*"?|[^\s"()]+/g, (word) => {
    const { minus = '', path, op, value } = COMPARED.exec(word)?.groups ?? {};
    if (path === undefined || op === undefined || value === undefined || isKeyed(path)) return word;
    isOther = true;
    return `${minus}data.${path}${op}${value}`;
  });
  return isOther ? meant : undefined;
}

/** Whether a path is a key that compares numbers. */
function isKeyed(path: string): boolean {
  return /^(?:attempts|status|size|age|time|data|meta|topic|state|type|app|pubsub|route|id)(?:[.[]|$)/.test(
    path,
  );
}

/** A mistake that the host found in a filter. */
export interface FilterMistake {
  /** Number of its first character, from 1. */
  readonly position: number;
  readonly found: string;
  readonly expected: string;
}

/**
 * Suggestion for a filter with an unknown key: `orderId:7` probably means the value `data.orderId:7`.
 * @returns undefined: another mistake, or the key cannot be a path
 */
export function meantPath(text: string, { position, found, expected }: FilterMistake): string | undefined {
  if (expected !== 'a known key' || !/^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*$/.test(found)) return undefined;
  const at = text.indexOf(found, position - 1);
  return at < 0 ? undefined : `${text.slice(0, at)}data.${text.slice(at)}`;
}
