/** Turns the content of a list cell into a term of the filter language. */
import { foremost } from '../../core/contract/attention.ts';
import { filterValue, quotedValue } from '../../core/contract/filter-value.ts';
import { filterStatus, printFilterCode } from '../../core/contract/grpc.ts';
import type { LastAnswer, MessageRow } from '../../core/contract/message.ts';
import { isStatusWord } from '../../core/contract/status-words.ts';
import type { Column, ColumnId } from './columns.ts';
import { lineTerm, type LineSpot } from './line-term.ts';
import { isUntyped, stateWord } from './row.ts';

export { filterValue, quotedValue };

/** The filter that finds these messages. */
export function idsFilter(messageIds: readonly string[]): string {
  return messageIds.map((id) => `id:${filterValue(id)}`).join(' OR ');
}

/** A value that the language reads as a number or another JSON word, as a range, or as a part of one. */
const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)$/i;
const PLAIN_WORD = /^[A-Za-z_/][\w./-]*$/;
/** A value of which the cell shows another text: an object or a list, one that is cut, one with a NUL. */
const OTHER_TEXT = /^[{[]|…$|\u2400/;

/** A value of the payload, of which only its text is known: digits may be a number or a text. */
function ownValue(text: string): string {
  if (OTHER_TEXT.test(text)) return '*';
  if (JSON_WORD.test(text)) return `${text},${quotedValue(text)}`;
  return PLAIN_WORD.test(text) ? text : quotedValue(text);
}

/** A term of a key whose value is a text. */
function textTerm(key: string, valueOf: (row: MessageRow) => string | undefined) {
  return (row: MessageRow): string | undefined => {
    const value = valueOf(row);
    return value === undefined || value === '' ? undefined : `${key}:${filterValue(value)}`;
  };
}

/** Columns for whose values the filter language has no key. */
export const COLUMNS_WITHOUT_TERM = [
  'next',
  'expires',
  'streamId',
  'consumer',
] as const satisfies readonly ColumnId[];
type WithoutTerm = (typeof COLUMNS_WITHOUT_TERM)[number];

const typeOf = textTerm('type', (row) => row.eventType);

/** Terms of all other columns but that of payloads. */
const TERMS: Readonly<
  Record<Exclude<ColumnId, WithoutTerm | 'preview'>, (row: MessageRow) => string | undefined>
> = {
  number: (row) => `id:#${row.number}`,
  time: (row) => `time:>=${row.at}`,
  app: textTerm('app', (row) => row.appId),
  pubsub: textTerm('pubsub', (row) => row.pubsubname),
  topic: textTerm('topic', (row) => row.topic),
  type: typeTerm,
  eventId: textTerm('id', (row) => row.eventId),
  subject: textTerm('subject', (row) => row.subject),
  state: (row) => `state:${stateWord(row)}`,
  // Filters compare the attempts of one delivery, the column adds those of all.
  attempts: (row) => `attempts:${foremost(row.deliveries)?.attempts ?? 0}`,
  answer: (row) => answerTerm(foremost(row.deliveries)?.lastAnswer),
  duration: tookTerm,
  cause: textTerm('lastrule', (row) => foremost(row.deliveries)?.rule),
  size: (row) => `size:${row.sizeBytes}`,
  contentType: contentTypeTerm,
  route: textTerm('route', (row) => foremost(row.deliveries)?.route),
  origin: textTerm('origin', (row) => row.source),
  batch: textTerm('batch', (row) => row.batchId),
  trace: textTerm('trace', (row) => row.traceId),
};

/** What is in a cell beside the row itself. */
export interface CellValue {
  /** Value of a column that the user added. */
  readonly own?: string | null;
  /** Place in the line of the payload; absent: a key was pressed, or the pointer is beside the text. */
  readonly spot?: LineSpot | undefined;
}

/** Term of a cell, such as `topic:orders`; undefined: the cell is empty, or the language has no key for it. */
export function cellTerm(column: Column, row: MessageRow, value: CellValue = {}): string | undefined {
  const { own = null, spot } = value;
  if (column.own !== undefined) return own === null ? undefined : `${column.id}:${ownValue(own)}`;
  if (column.id === 'preview') return spot && lineTerm(spot);
  return Object.entries(TERMS).find(([id]) => id === column.id)?.[1](row);
}

/** The term for all messages that a term does not find. */
export function elseTerm(term: string): string {
  // A second sign would belong to the word.
  return term.startsWith('-') ? term.slice(1) : `-${term}`;
}

/** A content type with any parameters, such as a charset, and without. */
function contentTypeTerm({ contentType }: MessageRow): string | undefined {
  if (contentType === '') return undefined;
  const type = contentType.replace(/;.*$/s, '').trimEnd();
  // A star in quotes would stand for itself.
  return /^[\w.+-]+\/[\w.+-]+$/.test(type)
    ? `contenttype:${type}*`
    : `contenttype:${filterValue(contentType)}`;
}

function typeTerm(row: MessageRow): string | undefined {
  if (isUntyped(row)) return 'is:raw';
  return row.eventType === undefined ? '-type:*' : typeOf(row);
}

/** At least as long: hardly another call took exactly as long. */
function tookTerm({ deliveries }: MessageRow): string | undefined {
  const ms = foremost(deliveries)?.lastDurationMs;
  return ms === undefined ? undefined : `took:>=${ms}ms`;
}

/** An answer in the filter language: `RETRY`, `503`, `unavailable`. A word says more than the code beside it. */
function answerTerm(answer: LastAnswer | undefined): string | undefined {
  const { status, word, protocol, error } = answer ?? {};
  // Without quotes another word may be read as a code.
  if (word !== undefined && word !== '') return `answer:${isStatusWord(word) ? word : quotedValue(word)}`;
  if (status === undefined)
    return error === undefined || error === '' ? undefined : `error:${filterValue(error)}`;
  const code = filterStatus(status, protocol);
  return `answer:${printFilterCode(code) ?? code}`;
}
