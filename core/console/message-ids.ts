/** The one place where a client may name a message by its number: the number gives way to the id before a method runs. */
import { messageNumber } from '../domain/message-number.ts';
import { noMessageNumber } from '../domain/no-message.ts';
import type { Journal } from '../ports/journal.ts';

type Reads = Pick<Journal, 'get' | 'rows' | 'stats'>;

/** Checked parameters of a method, as far as they name messages. */
interface Naming {
  readonly messageId?: unknown;
  readonly messageIds?: unknown;
  readonly recordingId?: unknown;
  readonly viewId?: unknown;
}

/** Makes parameters with ids in place of numbers. Rejects with Refusal NOT_FOUND for a number that no message has. */
export type ToIds = (params: object) => object | Promise<object>;

/** @param journalOf journal of a recording; of the live history without its id */
export function messageIdsIn(journalOf: (recordingId: string | undefined) => Reads): ToIds {
  return (params: Naming) => {
    const { messageId, messageIds, recordingId, viewId } = params;
    // A view may be one of a recording, which its id does not say.
    if (viewId !== undefined || !(isNumber(messageId) || someNumber(messageIds))) return params;
    const recording = typeof recordingId === 'string' ? recordingId : undefined;
    const journal = journalOf(recording);
    return withIds(params, async (text, field) => {
      const number = messageNumber(text);
      if (number === undefined) return text;
      // Somebody may have written a recording with ids of their own.
      if (recording !== undefined && (await journal.get(text)) !== undefined) return text;
      const [row] = await journal.rows([number]);
      if (row === undefined) throw noMessageNumber(number, await journal.stats(), field);
      return row.messageId;
    });
  };
}

async function withIds(
  params: Naming,
  idOf: (text: string, field: 'messageId' | 'messageIds') => Promise<string>,
): Promise<object> {
  const { messageId, messageIds } = params;
  const changed: { messageId?: string; messageIds?: readonly string[] } = {};
  if (typeof messageId === 'string') changed.messageId = await idOf(messageId, 'messageId');
  if (isTexts(messageIds)) {
    const ids = new Set<string>();
    for (const text of messageIds) ids.add(await idOf(text, 'messageIds'));
    changed.messageIds = [...ids];
  }
  return { ...params, ...changed };
}

function isNumber(value: unknown): boolean {
  return typeof value === 'string' && messageNumber(value) !== undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function someNumber(value: unknown): boolean {
  return isTexts(value) && value.some(isNumber);
}
