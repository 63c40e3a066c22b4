/**
 * The formats of an export as writers: text before the messages, for each one, and after them. Nothing is
 * collected.
 */
import { CSV_COLUMNS } from '../../contract/words.ts';
import type {
  CsvColumn,
  ExportFormat,
  RecordedRule,
  RecordedSubscription,
} from '../../contract/recording.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { textOf } from '../codec.ts';
import type { Codec } from '../codec.ts';
import { kindOf } from '../content-type.ts';
import { describe, payloadOf } from '../inbound.ts';
import { csvLine } from './csv.ts';
import { harEntries } from './har.ts';
import { linesOf, RECORDING_VERSION } from './lines.ts';
import type { RecordedMessage } from './recorded.ts';
import { SharedCalls } from './shared-calls.ts';

export interface ExportWriter {
  readonly ending: string;
  readonly contentType: string;
  begin(): string;
  message(recorded: RecordedMessage): string;
  end(): string;
}

export interface ExportFacts {
  readonly product: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly count: number;
  readonly filter?: string | undefined;
  readonly isMasked: boolean;
  readonly subscriptions: readonly RecordedSubscription[];
  readonly rules: readonly RecordedRule[];
  readonly columns?: readonly CsvColumn[] | undefined;
}

export function exportWriter(format: ExportFormat, facts: ExportFacts, codec: Codec): ExportWriter {
  switch (format) {
    case 'recording':
      return recordingWriter(facts, codec);
    case 'ndjson':
      return {
        ending: 'ndjson',
        contentType: 'application/x-ndjson',
        begin: () => '',
        message: (recorded) => `${onOneLine(dataText(recorded, codec))}\n`,
        end: () => '',
      };
    case 'bulk':
      return bulkWriter(codec);
    case 'csv': {
      const columns = facts.columns ?? CSV_COLUMNS;
      return {
        ending: 'csv',
        contentType: 'text/csv; charset=utf-8',
        begin: () => `${columns.join(',')}\r\n`,
        message: (recorded) => csvLine(recorded, columns, codec),
        end: () => '',
      };
    }
    case 'har':
      return harWriter(facts);
  }
}

function recordingWriter(facts: ExportFacts, codec: Codec): ExportWriter {
  const { product, exportedAt, count, filter, isMasked, subscriptions, rules } = facts;
  let messages = 0;
  const calls = new SharedCalls();
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  return {
    ending: 'sidelight.jsonl',
    contentType: 'application/x-ndjson',
    begin: () =>
      line({
        kind: 'recording',
        version: RECORDING_VERSION,
        product,
        exportedAt,
        count,
        isMasked,
        ...withoutUndefined({ filter }),
      }),
    message: (recorded) => {
      messages += 1;
      return linesOf(recorded, calls, codec).map(line).join('');
    },
    end: () =>
      [
        ...subscriptions.map((subscription) => line({ kind: 'subscription', subscription })),
        ...rules.map((rule) => line({ kind: 'rule', rule })),
        line({ kind: 'end', messages }),
      ].join(''),
  };
}

/** Writes entries for the route of bulk publish. */
function bulkWriter(codec: Codec): ExportWriter {
  let entries = 0;
  return {
    ending: 'entries.json',
    contentType: 'application/json',
    begin: () => '[',
    message: (recorded) => {
      const { message } = recorded;
      const { row, metadata, givenContentType, wire } = message;
      const isEvent =
        kindOf(givenContentType) === 'cloudevent' && describe(wire, row.raw, codec).envelope !== undefined;
      entries += 1;
      const members = [
        ['entryId', JSON.stringify(String(entries))],
        ['event', isEvent ? textOf(wire, codec).trim() : eventText(recorded, codec)],
        ['contentType', JSON.stringify(isEvent ? givenContentType : row.contentType)],
        ...(Object.keys(metadata).length === 0 ? [] : [['metadata', JSON.stringify(metadata)]]),
      ];
      const entry = members.map(([name, text]) => `"${name}":${text}`).join(',');
      return `${entries === 1 ? '\n' : ',\n'}{${entry}}`;
    },
    end: () => '\n]\n',
  };
}

function harWriter({ product }: ExportFacts): ExportWriter {
  let entries = 0;
  const calls = new SharedCalls();
  return {
    ending: 'har',
    contentType: 'application/json',
    begin: () =>
      `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'Sidelight', version: product })},"entries":[`,
    message: (recorded) =>
      harEntries(recorded, calls)
        .map((entry) => `${(entries += 1) === 1 ? '\n' : ',\n'}${JSON.stringify(entry)}`)
        .join(''),
    end: () => '\n]}}\n',
  };
}

/** JSON text of the payload with the published digits, which a parser would round. */
function dataText({ message }: RecordedMessage, codec: Codec): string {
  const payload = payloadOf(message.wire, message.row.raw, codec);
  switch (payload.kind) {
    case 'json':
      return payload.text;
    case 'text':
      return JSON.stringify(payload.text);
    case 'bytes':
      return `{"data_base64":${JSON.stringify(payload.base64)}}`;
    case 'none':
      return 'null';
  }
}

/** A recorded message as the `event` of a bulk entry; bytes become base64. */
function eventText(recorded: RecordedMessage, codec: Codec): string {
  const payload = payloadOf(recorded.message.wire, recorded.message.row.raw, codec);
  return payload.kind === 'bytes' ? JSON.stringify(payload.base64) : dataText(recorded, codec);
}

/** Joins the lines of a JSON text. JSON has line breaks only between its parts. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, '');
}
