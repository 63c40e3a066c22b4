/** The refusal for a message that does not exist. */
import { Refusal } from './refusal.ts';

/** What lists show beside each message is its number, which people and agents take for its id. */
const NUMBER = /^#?\d+$/;

export function noMessage(messageId: string): Refusal {
  const reason = `There is no message ${messageId}.`;
  if (!NUMBER.test(messageId)) return new Refusal('NOT_FOUND', { reason }, { field: 'messageId' });
  const help =
    'This is a number: the id of a message begins with msg_, and stands beside its number as messageId.';
  return new Refusal(
    'NOT_FOUND',
    { reason: `${reason} ${help}` },
    { field: 'messageId', expected: 'an id that begins with msg_' },
  );
}
