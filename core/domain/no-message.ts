/** The refusals for a message that does not exist. */
import { Refusal } from './refusal.ts';

/** Ids or numbers with commas or spaces between them, or a range: `29,30`, `29 30`, `29-31`. */
const SEVERAL = /[^\s,;][\s,;]+[^\s,;]|^#?\d+\s*(?:-|–|\.\.)\s*#?\d+$/;

const ONE = 'the id or the number of one message';

/** @param field member of the parameters that names the message */
export function noMessage(messageId: string, field: 'messageId' | 'messageIds' = 'messageId'): Refusal {
  const reason = `There is no message ${messageId}.`;
  if (!SEVERAL.test(messageId)) return new Refusal('NOT_FOUND', { reason }, { field });
  const help = 'Name one message: its id, or its number such as #29.';
  return new Refusal('NOT_FOUND', { reason: `${reason} ${help}` }, { field, expected: ONE });
}

/** Numbers of the messages that are kept; the highest is 0 where there is none. */
interface KeptNumbers {
  readonly oldestNumber: number;
  readonly lastNumber: number;
}

/** The refusal for a number that no message has, with the numbers that there are. */
export function noMessageNumber(
  number: number,
  { oldestNumber, lastNumber }: KeptNumbers,
  field: 'messageId' | 'messageIds',
): Refusal {
  const reason = `There is no message with the number ${number}.`;
  const kept =
    oldestNumber === 0
      ? 'No message is kept now.'
      : `The messages that are kept have numbers from ${oldestNumber} to ${lastNumber}.`;
  return new Refusal('NOT_FOUND', { reason: `${reason} ${kept}` }, { field, expected: ONE });
}
