/** Reads a range of a view in as many answers as it needs: one answer has a limit. */
import type { Params, Result } from './console.ts';

type Range = Pick<Params<'view.rows'>, 'from' | 'count'>;
type Rows = Result<'view.rows'>;
type Read = (range: Range) => Promise<Rows>;
type Whole = Omit<Rows, 'next'>;

/** Rows can move between two answers: some are removed, or new ones come before them. Then the range is read again. */
const MAX_READS = 3;

/** The whole range; its `total` is that of the last answer. */
export async function viewRows(read: Read, range: Range): Promise<Whole> {
  for (let time = 1; ; time += 1) {
    const { whole, hasMoved } = await readOnce(read, range);
    if (!hasMoved || time === MAX_READS) return whole;
  }
}

async function readOnce(
  read: Read,
  { from, count }: Range,
): Promise<{ readonly whole: Whole; readonly hasMoved: boolean }> {
  const { next: first, ...answer } = await read({ from, count });
  if (first === undefined) return { whole: answer, hasMoved: false };
  const rows = [...answer.rows];
  const groups = [...(answer.groups ?? [])];
  let { total } = answer;
  let hasMoved = false;
  for (let next: number | undefined = first; next !== undefined && next < from + count;) {
    const at: number = next;
    const more = await read({ from: at, count: from + count - at });
    hasMoved ||= more.total < total;
    rows.push(...more.rows);
    // The group of the first line comes with an answer that begins inside it.
    groups.push(...(more.groups ?? []).filter(({ index }) => index >= at));
    ({ total, next } = more);
  }
  hasMoved ||= new Set(rows.map(({ number }) => number)).size < rows.length;
  return { whole: { rows, total, ...(answer.groups === undefined ? {} : { groups }) }, hasMoved };
}
