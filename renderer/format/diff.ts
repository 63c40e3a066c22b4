/** Compares two texts by lines. */
import { shortened } from '../../core/contract/cut-place.ts';
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lines that are not shown: equal ones between changes, or all that follow. */
export interface LeftOut {
  readonly kind: 'equal' | 'more';
  readonly lines: number;
}

export interface DifferenceQuestion {
  readonly before: string;
  readonly after: string;
}

/** Differences of two texts, as many as a page can show. */
export interface Difference {
  /** Number of changed lines. */
  readonly changed: number;
  readonly lines: readonly (DiffLine | LeftOut)[];
}

/**
 * Number of different lines from which the texts are compared as one block: the work grows with its square.
 */
const MAX_CHANGES = 800;
/** Lines that are all shown. */
const ALL_LINES = 1000;
/** Equal lines that are shown around a change where not all are. */
const AROUND = 3;
/** Characters of a line that are shown. */
const WIDEST = 20_000;

/** Lines of both texts in order; removed lines come before the added lines that replace them. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const parts = diffArrays(a, b, { maxEditLength: MAX_CHANGES }) ?? [
    { value: a, added: false, removed: true },
    { value: b, added: true, removed: false },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
}

/** Number of changed lines; a removed and an added line at the same position count once. */
export function changedLines(lines: readonly DiffLine[]): number {
  const added = lines.filter(({ kind }) => kind === 'added').length;
  const removed = lines.filter(({ kind }) => kind === 'removed').length;
  return Math.max(added, removed);
}

/** Finds the differences between two texts. */
export function differenceOf(before: string, after: string): Difference {
  const lines = diffLines(before, after);
  return { changed: changedLines(lines), lines: abridged(lines) };
}

/** Short texts whole; of long ones the changes, the lines around them, and how many were left out. */
function abridged(lines: readonly DiffLine[]): readonly (DiffLine | LeftOut)[] {
  if (lines.length <= ALL_LINES) return lines.map(narrowed);
  const isNear = nearChanges(lines);
  const shown: (DiffLine | LeftOut)[] = [];
  let equal = 0;
  for (const [index, line] of lines.entries()) {
    if (isNear[index] !== true) {
      equal += 1;
      continue;
    }
    if (shown.length >= ALL_LINES) return [...shown, { kind: 'more', lines: lines.length - index }];
    if (equal > 0) shown.push({ kind: 'equal', lines: equal });
    equal = 0;
    shown.push(narrowed(line));
  }
  if (equal > 0) shown.push({ kind: 'equal', lines: equal });
  return shown;
}

/** Marks each line that changed, or stands beside one that did. */
function nearChanges(lines: readonly DiffLine[]): readonly (true | undefined)[] {
  const isNear = Array.from<true | undefined>({ length: lines.length });
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(true, Math.max(0, index - AROUND), index + AROUND + 1);
  }
  return isNear;
}

function narrowed(line: DiffLine): DiffLine {
  return { ...line, text: shortened(line.text, WIDEST) };
}
