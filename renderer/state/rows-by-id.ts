/** Rows of messages by their ids, for messages that the list has not loaded. */
import type { MessageRow } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { idsFilter } from '../format/cell-term.ts';

/** Ids in one filter, which the host looks up; their text stays far below the longest filter. */
const AT_ONCE = 50;
const PAGE = 500;

/** Reads the rows; messages that are gone have none. Rejects RpcFailure. */
export async function rowsById(
  call: RpcClient['call'],
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, MessageRow>> {
  const found = new Map<string, MessageRow>();
  for (let from = 0; from < messageIds.length; from += AT_ONCE) {
    const filter = idsFilter(messageIds.slice(from, from + AT_ONCE));
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await call('messages.list', { filter, limit: PAGE, ...withoutUndefined({ cursor }) });
      for (const row of page.items) found.set(row.messageId, row);
      cursor = page.nextCursor;
    }
  }
  return found;
}
