/** Marks everything that a filter matches as read. */
import type { Filter } from '../../domain/filter/ast.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';

const SLICE = 500;
/** Maximum number of messages that are marked at once: more would fill the journal with marks. Older messages stay unread. */
const MAX = 10_000;

/**
 * Marks at most the newest 10,000 messages.
 * @returns number of marked messages; rejects when `signal` is aborted
 */
export async function markRead(
  { journal, marks }: Pick<RuntimeApi, 'journal' | 'marks'>,
  clock: Clock,
  filter: Filter,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0;
  let after: number | undefined;
  do {
    const query = { filter, order: 'newest' as const, limit: SLICE, nowMs: clock.now(), signal };
    const slice = await journal.scan(after === undefined ? query : { ...query, after });
    const rows = await journal.rows(slice.numbers);
    const found = rows.flatMap((row) => (row === undefined ? [] : [row.messageId]));
    await Promise.all(found.map((messageId) => marks.update(messageId, { read: true })));
    changed += found.length;
    after = slice.next;
  } while (after !== undefined && changed < MAX);
  return changed;
}
