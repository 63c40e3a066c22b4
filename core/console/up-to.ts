/** A list or a choice that ends at the message with a certain number: what came later is left out. */
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { Journal, MessageQuery, ScanSlice } from '../ports/journal.ts';

const SLICE = 500;

type Page = Awaited<ReturnType<Journal['page']>>;

/** A page without the messages that have a higher number than `upTo`; they do not count in `total` either. */
export async function pageUpTo(
  journal: Pick<Journal, 'page' | 'scan'>,
  query: MessageQuery,
  upTo: number | undefined,
): Promise<Page> {
  if (upTo === undefined) return journal.page(query);
  const cursor = query.cursor ?? (query.order === 'newest' ? String(upTo + 1) : undefined);
  const page = await journal.page(cursor === undefined ? query : { ...query, cursor });
  const items = page.items.filter(({ number }) => number <= upTo);
  const total = Math.max(items.length, page.total - (await numberAfter(journal, query, upTo)));
  return { items, total, nextCursor: items.length < page.items.length ? null : page.nextCursor };
}

/** Number of messages that match and have a higher number. */
export async function numberAfter(
  journal: Pick<Journal, 'scan'>,
  { filter, nowMs, signal }: Pick<MessageQuery, 'filter' | 'nowMs' | 'signal'>,
  upTo: number,
): Promise<number> {
  const query = {
    order: 'newest' as const,
    limit: SLICE,
    nowMs,
    ...withoutUndefined({ filter, signal }),
  };
  let found = 0;
  let after: number | undefined;
  do {
    const slice: ScanSlice = await journal.scan(after === undefined ? query : { ...query, after });
    found += slice.numbers.filter((number) => number > upTo).length;
    after = slice.next !== undefined && slice.next > upTo ? slice.next : undefined;
  } while (after !== undefined);
  return found;
}
