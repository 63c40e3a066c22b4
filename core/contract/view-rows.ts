/** Reads a range of a view in as many answers as it needs: one answer has a limit. */
import type { Params, Result } from './console.ts';

type Range = Pick<Params<'view.rows'>, 'from' | 'count'>;
type Rows = Result<'view.rows'>;

/** The whole range; its `total` is that of the last answer. */
export async function viewRows(
  read: (range: Range) => Promise<Rows>,
  { from, count }: Range,
): Promise<Omit<Rows, 'next'>> {
  const { next: first, ...answer } = await read({ from, count });
  if (first === undefined) return answer;
  const rows = [...answer.rows];
  const groups = [...(answer.groups ?? [])];
  let { total } = answer;
  for (let next: number | undefined = first; next !== undefined && next < from + count;) {
    const more = await read({ from: next, count: from + count - next });
    rows.push(...more.rows);
    groups.push(...(more.groups ?? []));
    ({ total, next } = more);
  }
  return { rows, total, ...(answer.groups === undefined ? {} : { groups }) };
}
