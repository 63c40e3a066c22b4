/** Which lines two texts do not share. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const LARGEST = 1500;

/** Lines of both texts in order; texts of more than 1,500 lines are compared as one block of change. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  if (a.length > LARGEST || b.length > LARGEST) {
    if (before === after) return a.map((text) => ({ kind: 'same', text }));
    return [
      ...a.map((text): DiffLine => ({ kind: 'removed', text })),
      ...b.map((text): DiffLine => ({ kind: 'added', text })),
    ];
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (right !== undefined && (left === undefined || at(i, j + 1) > at(i + 1, j))) {
      lines.push({ kind: 'added', text: right });
      j += 1;
    } else if (left !== undefined) {
      lines.push({ kind: 'removed', text: left });
      i += 1;
    }
  }
  return lines;
}

/** Lines that changed: a removed and an added one in the same place count once. */
export function changedLines(lines: readonly DiffLine[]): number {
  const added = lines.filter(({ kind }) => kind === 'added').length;
  const removed = lines.filter(({ kind }) => kind === 'removed').length;
  return Math.max(added, removed);
}
