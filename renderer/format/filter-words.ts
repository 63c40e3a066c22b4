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

/** A word between slashes with signs that only a regular expression has. */
const EXPRESSION = /(?:^|\s)\/\S*[[\](){}|+?\\^$]\S*\/[gimsuy]*(?=$|\s)/;

/** Whether a filter has a regular expression, which it reads as a text. */
export function isExpression(filter: string): boolean {
  return EXPRESSION.test(filter);
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

/** Members of an option that decide whether it is drawn. */
interface Option {
  /** Text that replaces the characters from `from` to the cursor. */
  readonly insert: string;
  readonly from: number;
}

/** The options that change the text; those that it has already say nothing to a person. */
export function openOptions<O extends Option>(
  options: readonly O[],
  text: string,
  cursor: number,
): readonly O[] {
  return options.filter(({ insert, from }) => insert.trimEnd() !== text.slice(from, cursor));
}
