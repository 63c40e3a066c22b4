/** Turns the content of a list cell into a term of the filter language. */
import { foremost } from '../../core/contract/attention.ts';
import { filterValue, quotedValue } from '../../core/contract/filter-value.ts';
import type { LastAnswer, MessageRow } from '../../core/contract/message.ts';
import { isStatusWord } from '../../core/contract/status-words.ts';
import type { Column } from './columns.ts';
import { attemptsOf, chipOf } from './row.ts';

export { filterValue, quotedValue };

/** The filter that finds these messages. */
export function idsFilter(messageIds: readonly string[]): string {
  return messageIds.map((id) => `id:${filterValue(id)}`).join(' OR ');
}

/** A value that the language reads as a number or another JSON word, as a range, or as a part of one. */
const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)$/i;
const PLAIN_WORD = /^[A-Za-z_/][\w./-]*$/;

/** A value of the payload, of which only its text is known: digits may be a number or a text. */
function ownValue(text: string): string {
  if (JSON_WORD.test(text)) return `${text},${quotedValue(text)}`;
  return PLAIN_WORD.test(text) ? text : quotedValue(text);
}

const KEYS: Readonly<Record<string, readonly [key: string, value: (row: MessageRow) => string | undefined]>> =
  {
    app: ['app', (row) => row.appId],
    pubsub: ['pubsub', (row) => row.pubsubname],
    topic: ['topic', (row) => row.topic],
    type: ['type', (row) => row.eventType],
    eventId: ['id', (row) => row.eventId],
    subject: ['subject', (row) => row.subject],
    state: ['state', (row) => chipOf(row).kind],
    attempts: ['attempts', (row) => String(attemptsOf(row))],
    answer: ['answer', (row) => answerTerm(foremost(row.deliveries)?.lastAnswer)],
    size: ['size', (row) => String(row.sizeBytes)],
    cause: ['lastrule', (row) => foremost(row.deliveries)?.rule],
    route: ['route', (row) => foremost(row.deliveries)?.route],
    origin: ['origin', (row) => row.source],
    batch: ['batch', (row) => row.batchId],
    trace: ['trace', (row) => row.traceId],
  };

/**
 * Term of a cell, such as `topic:orders`; undefined: the cell is empty, or the language has no key for it.
 * @param own value of a column that the user added
 */
export function cellTerm(
  { id, own: place }: Column,
  row: MessageRow,
  own: string | null,
): string | undefined {
  if (place !== undefined) return own === null ? undefined : `${id}:${ownValue(own)}`;
  const [key, valueOf] = KEYS[id] ?? [];
  const value = valueOf?.(row);
  return key === undefined || value === undefined || value === ''
    ? undefined
    : `${key}:${key === 'answer' ? value : filterValue(value)}`;
}

/** An answer in the filter language: `RETRY`, `503`, `unavailable`. A word says more than the code beside it. */
function answerTerm(answer: LastAnswer | undefined): string | undefined {
  const { status, statusText, word } = answer ?? {};
  // Without quotes another word may be read as a code.
  if (word !== undefined && word !== '') return isStatusWord(word) ? word : quotedValue(word);
  return statusText?.toLowerCase().replaceAll('_', '-') ?? status?.toString();
}
