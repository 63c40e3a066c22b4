/** Which lines two texts do not share. */
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts that differ in more lines than this are compared as one block: the work grows with the square of the differences. */
const MOST_CHANGES = 800;

/** Lines of both texts in order; what was removed comes before what was added in its place. */
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

/** Lines that changed: a removed and an added one in the same place count once. */
export function changedLines(lines: readonly DiffLine[]): number {
  const added = lines.filter(({ kind }) => kind === 'added').length;
  const removed = lines.filter(({ kind }) => kind === 'removed').length;
  return Math.max(added, removed);
}
