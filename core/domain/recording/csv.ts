/** Writes messages as rows of a CSV file (RFC 4180): chosen columns, one row for each message. */
import type { CsvColumn } from '../../contract/recording.ts';
import type { Codec } from '../codec.ts';
import { payloadOf } from '../inbound.ts';
import type { RecordedMessage } from './recorded.ts';

type Cell = (recorded: RecordedMessage, codec: Codec) => string | number | undefined;

const CELLS: Readonly<Record<CsvColumn, Cell>> = {
  at: ({ message }) => message.row.at,
  number: ({ message }) => message.row.number,
  messageId: ({ message }) => message.row.messageId,
  pubsubname: ({ message }) => message.row.pubsubname,
  topic: ({ message }) => message.row.topic,
  source: ({ message }) => message.row.source,
  eventId: ({ message }) => message.row.eventId,
  eventType: ({ message }) => message.row.eventType,
  subject: ({ message }) => message.row.subject,
  contentType: ({ message }) => message.row.contentType,
  sizeBytes: ({ message }) => message.row.sizeBytes,
  state: ({ message, deliveries }) =>
    deliveries.length === 0 ? (message.row.stage ?? 'none') : ofEach(deliveries, (d) => d.state),
  app: ({ message, deliveries }) =>
    deliveries.length === 0 ? message.row.appId : ofEach(deliveries, (d) => d.appId),
  route: ({ deliveries }) => ofEach(deliveries, (d) => d.route.path),
  attempts: ({ deliveries }) => ofEach(deliveries, (d) => String(d.attemptCount)),
  lastAnswer: ({ deliveries }) =>
    ofEach(deliveries, ({ lastAnswer }) =>
      [lastAnswer?.status, lastAnswer?.word, lastAnswer?.error]
        .filter((part) => part !== undefined)
        .join(' '),
    ),
  durationMs: ({ deliveries }) => ofEach(deliveries, (d) => String(d.lastDurationMs ?? '')),
  note: ({ message }) => message.row.note,
  data: ({ message }, codec) => {
    const payload = payloadOf(message.wire, message.row.raw, codec);
    if (payload.kind === 'bytes') return payload.base64;
    if (payload.kind === 'none') return undefined;
    // A text is written as it reads, any other value as JSON.
    return payload.text.startsWith('"') && payload.kind === 'json'
      ? (JSON.parse(payload.text) as string)
      : payload.text;
  },
};

export function csvLine(recorded: RecordedMessage, columns: readonly CsvColumn[], codec: Codec): string {
  return `${columns.map((column, at) => cellOf(CELLS[column](recorded, codec), at === 0)).join(',')}\r\n`;
}

function ofEach(
  deliveries: RecordedMessage['deliveries'],
  pick: (delivery: RecordedMessage['deliveries'][number]['delivery']) => string,
): string {
  return deliveries.map(({ delivery }) => pick(delivery)).join(' | ');
}

/**
 * Beginning of a cell that a spreadsheet would run as a formula, full width signs included. Some programs
 * read a file with `;` or tabs between the cells, however it was written, and quotes do not protect then. So
 * each of these characters and each line end counts as the beginning of a cell, and invisible characters
 * before it are skipped.
 */
const FORMULA =
  /(^|[;\t\r\n])(?=(?:(?![\t\r\n])["\s\p{Cc}\p{Cf}])*[=+\-@\uff1d\uff0b\uff0d\uff20])([^;\t\r\n]*)/gu;

/** A character that counts as the beginning of a text. */
const VISIBLE = /[^"\s\p{Cc}\p{Cf}]/u;

/**
 * A value as a cell. A number with a sign is no formula, unless more follows: a line end in a formula is a blank, and a program that does not
 * divide at commas reads the first cell and the next ones as one.
 */
function cellOf(value: string | number | undefined, isFirst: boolean): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const start = value.search(VISIBLE);
  const safe = value.replaceAll(FORMULA, (_found, before: string, rest: string, at: number) => {
    const isAlone = start < at || (rest === value && !isFirst);
    return isAlone && isNumber(rest) ? `${before}${rest}` : `${before}'${rest}`;
  });
  const text = /^[\t\r]/.test(safe) ? `'${safe}` : safe;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a text with a sign is a number. */
function isNumber(text: string): boolean {
  return /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}
