/** What a person marks messages with: pins, notes, tags, read. */
import type { MessageRow } from '../../contract/message.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { MessageMarks } from '../api.ts';
import { rowOf } from '../state/live.ts';
import type { Parts } from '../services.ts';
import { iso } from '../time/time.ts';

/** The row after the change. Throws Refusal NOT_FOUND. */
export async function updateMessage(
  { targets, deliveries, shared }: Parts,
  messageId: string,
  { read, ...rest }: MessageMarks,
): Promise<MessageRow> {
  const message = await targets.message(messageId);
  if (message === undefined) {
    throw new Refusal('NOT_FOUND', { reason: `There is no message ${messageId}.` }, { field: 'messageId' });
  }
  await deliveries.patchMessage(message, { ...rest, ...(read === undefined ? {} : { unread: !read }) });
  const row = rowOf(message, iso);
  shared.live.removeIfFinished(message);
  return row;
}
