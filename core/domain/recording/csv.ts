/** Messages as rows of a CSV file (RFC 4180): chosen columns, one row for each message. */
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
    // A text as it reads, everything else as it was written.
    return payload.text.startsWith('"') && payload.kind === 'json'
      ? (JSON.parse(payload.text) as string)
      : payload.text;
  },
};

export function csvLine(recorded: RecordedMessage, columns: readonly CsvColumn[], codec: Codec): string {
  return `${columns.map((column) => cellOf(CELLS[column](recorded, codec))).join(',')}\r\n`;
}

function ofEach(
  deliveries: RecordedMessage['deliveries'],
  pick: (delivery: RecordedMessage['deliveries'][number]['delivery']) => string,
): string {
  return deliveries.map(({ delivery }) => pick(delivery)).join(' | ');
}

function cellOf(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  // A spreadsheet would run a text that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
