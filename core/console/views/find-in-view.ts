/** Finds the index of a message in a view, and the next one that matches a further filter. */
import type { Params, Result } from '../../contract/console.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readFilter } from './filter.ts';
import type { OpenView } from './view.ts';
import type { ViewLists } from './view-lists.ts';

/** Number of matches examined at a time; most of them are in the view. */
const SLICE = 200;

/** Throws Refusal FILTER_SYNTAX, INVALID_PARAMS. */
export async function findInView(
  view: Pick<OpenView, 'indexOf' | 'numberAt'>,
  lists: Pick<ViewLists, 'numberById' | 'scan' | 'rows'>,
  { messageId, filter, from, order = 'oldest' }: Omit<Params<'view.find'>, 'viewId'>,
  nowMs: number,
): Promise<Result<'view.find'>> {
  if (messageId !== undefined) {
    const number = await lists.numberById(messageId);
    const index = number === undefined ? -1 : view.indexOf(number);
    return index === -1 ? null : { index, messageId };
  }
  if (filter === undefined) {
    const reason = 'Give messageId or filter: one of them names the message to find';
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'messageId', expected: 'messageId or filter' });
  }
  const parsed = readFilter(filter);
  let after = from === undefined ? undefined : view.numberAt(from);
  do {
    const slice = await lists.scan({
      filter: parsed,
      order,
      limit: SLICE,
      nowMs,
      ...withoutUndefined({ after }),
    });
    for (const number of slice.numbers) {
      const index = view.indexOf(number);
      const [row] = index === -1 ? [] : await lists.rows([number]);
      if (row !== undefined) return { index, messageId: row.messageId };
    }
    after = slice.next;
  } while (after !== undefined);
  return null;
}
