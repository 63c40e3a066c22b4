/** Compares two texts by lines. */
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Number of different lines from which the texts are compared as one block: the work grows with its square.
 */
const MOST_CHANGES = 800;

/** Lines of both texts in order; removed lines come before the added lines that replace them. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const parts = diffArrays(a, b, { maxEditLength: MOST_CHANGES }) ?? [
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
