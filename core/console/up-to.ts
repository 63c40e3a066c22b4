/** A list or a choice that ends at the message with a certain number: what came later is left out. */
import { withoutUndefined } from '../contract/without-undefined.ts';
import { cursorAt, numberOfCursor } from '../domain/cursor.ts';
import type { Journal, JournalStats, MessageQuery, ScanSlice } from '../ports/journal.ts';

const SLICE = 500;

type Page = Awaited<ReturnType<Journal['page']>>;

/** A cursor with how many messages the whole list has, so that only its first page counts them. */
const COUNTED = /^(\d{1,15})\.(\d{1,15})$/;

/** A page without the messages that have a higher number than `upTo`; they do not count in `total` either. */
export async function pageUpTo(
  journal: Pick<Journal, 'page' | 'scan' | 'stats'>,
  query: MessageQuery,
  upTo: number | undefined,
): Promise<Page> {
  if (upTo === undefined) return journal.page(query);
  const [, cursor = query.cursor, known] = COUNTED.exec(query.cursor ?? '') ?? [];
  // A cursor that no page gave is refused here.
  const beginning = beginningAt({ ...query, ...withoutUndefined({ cursor }) }, upTo);
  const before = known === undefined ? await journal.stats() : undefined;
  const page = await journal.page(beginning);
  const items = page.items.filter(({ number }) => number <= upTo);
  const counted =
    before === undefined
      ? Number(known)
      : await countUpTo(journal, query, { upTo, before, total: page.total });
  const total = Math.max(items.length, counted);
  const isLast = page.nextCursor === null || items.length < page.items.length;
  return { items, total, nextCursor: isLast ? null : `${page.nextCursor}.${total}` };
}

/** A query that begins below the end, or where its own cursor is if that is lower. */
function beginningAt(query: MessageQuery, upTo: number): MessageQuery {
  const { cursor, order } = query;
  if (order === 'oldest') return query;
  const given = cursor === undefined ? Infinity : numberOfCursor(cursor);
  return { ...query, cursor: cursorAt(Math.min(given, upTo + 1)) };
}

/**
 * Number of messages that match and have at most the number `upTo`.
 * @param read how many match in all, and what the journal had before that was counted
 */
export async function countUpTo(
  journal: Pick<Journal, 'scan' | 'stats'>,
  query: Pick<MessageQuery, 'filter' | 'nowMs' | 'signal'>,
  { upTo, before, total }: { readonly upTo: number; readonly before: JournalStats; readonly total: number },
): Promise<number> {
  const isEverything = query.filter?.isEmpty ?? true;
  const { lastNumber } = isEverything ? before : await journal.stats();
  const meanwhile = { after: Math.max(upTo, before.lastNumber), last: lastNumber };
  // Nobody knows whether what came meanwhile is in the total: then those up to the number are counted one by one.
  if ((await numberBetween(journal, query, meanwhile)) > 0)
    return numberBetween(journal, query, { after: 0, last: Math.min(upTo, lastNumber) });
  const later = await numberBetween(journal, query, { after: upTo, last: before.lastNumber });
  return Math.max(0, (isEverything ? before.messages : total) - later);
}

/** Number of messages that match, have a higher number than `after`, and one of at most `last`. */
async function numberBetween(
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
