/** A list or a choice that ends at the message with a certain number: what came later is left out. */
import { withoutUndefined } from '../contract/without-undefined.ts';
import { cursorAt, numberOfCursor } from '../domain/cursor.ts';
import type { Journal, MessageQuery, ScanSlice } from '../ports/journal.ts';

const SLICE = 500;

type Page = Awaited<ReturnType<Journal['page']>>;

/** A page without the messages that have a higher number than `upTo`; they do not count in `total` either. */
export async function pageUpTo(
  journal: Pick<Journal, 'page' | 'scan' | 'stats'>,
  query: MessageQuery,
  upTo: number | undefined,
): Promise<Page> {
  if (upTo === undefined) return journal.page(query);
  // What comes while the page is being read is in neither count.
  const [{ lastNumber }, page] = await Promise.all([journal.stats(), journal.page(beginningAt(query, upTo))]);
  const items = page.items.filter(({ number }) => number <= upTo);
  const later = await numberBetween(journal, query, { after: upTo, last: lastNumber });
  const total = Math.max(items.length, page.total - later);
  return { items, total, nextCursor: items.length < page.items.length ? null : page.nextCursor };
}

/** A query that begins below the end, or where its own cursor is if that is lower. */
function beginningAt(query: MessageQuery, upTo: number): MessageQuery {
  const { cursor, order } = query;
  if (order === 'oldest') return query;
  const given = cursor === undefined ? Infinity : numberOfCursor(cursor);
  return { ...query, cursor: cursorAt(Math.min(given, upTo + 1)) };
}

/** Number of messages that match, have a higher number than `after`, and one of at most `last`. */
export async function numberBetween(
  journal: Pick<Journal, 'scan'>,
  { filter, nowMs, signal }: Pick<MessageQuery, 'filter' | 'nowMs' | 'signal'>,
  { after, last }: { readonly after: number; readonly last: number },
): Promise<number> {
  const query = {
    order: 'newest' as const,
    limit: SLICE,
    nowMs,
    ...withoutUndefined({ filter, signal }),
  };
  let found = 0;
  for (let from: number | undefined = last + 1; from !== undefined && from > after + 1;) {
    const slice: ScanSlice = await journal.scan({ ...query, after: from });
    found += slice.numbers.filter((number) => number > after).length;
    from = slice.next;
  }
  return found;
}
