/** Applies patches to rows: the same in every journal. */
import type { MessageRow } from '../../contract/message.ts';
import { rowWithPatch } from '../../domain/row-patch.ts';
import type { MessagePatch } from '../../ports/journal.ts';

/**
 * The row with a patch in it; `null` removes a member. Who and where a message is cannot change, nor `releasedFrom`, which is no member.
 */
export function patchedRow(row: MessageRow, patch: MessagePatch): MessageRow {
  const {
    releasedFrom: _released,
    deliveries: _deliveries,
    messageId: _messageId,
    number: _number,
    ...members
  } = patch;
  return rowWithPatch(row, members, null);
}
