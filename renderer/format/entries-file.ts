/** A file of bulk entries: CSV with its columns, lines of JSON, a JSON array, or a recording. Read in a worker. */
import Papa from 'papaparse';
import { jsonMistake } from './json-place.ts';
import { MOST_ENTRIES, readEntries, type ReadEntry } from './entries.ts';

/** What a file holds. A table still needs to be told which column is what. */
export type ReadFile =
  | { readonly kind: 'entries'; readonly entries: readonly ReadEntry[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | {
      readonly kind: 'bad';
      readonly line: number;
      readonly why: 'json' | 'csv' | 'utf8' | 'empty';
      readonly detail: string;
    };

/** Which column is what; without `event` each row becomes a JSON object. -1: none. */
export interface ColumnMapping {
  readonly entryId: number;
  readonly contentType: number;
  readonly event: number;
}

const JSON_TYPE = 'application/json';

/** Reads the text of a file by its name and what stands in it. At most one entry more than a request takes. */
export function readEntriesFile(name: string, text: string): ReadFile {
  if (text.trim() === '') return { kind: 'bad', line: 1, why: 'empty', detail: '' };
  if (/\.csv$/i.test(name)) return readTable(text);
  if (isRecording(text)) return readRecording(text);
  const read = readEntries(text);
  if (!read.ok) return { kind: 'bad', line: read.line, why: 'json', detail: '' };
  return { kind: 'entries', entries: read.entries.slice(0, MOST_ENTRIES + 1) };
}

/** The rows of a table as entries. */
export function entriesOfTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  mapping: ColumnMapping,
): readonly ReadEntry[] {
  return rows.map((row) => {
    const cell = (index: number): string => (index < 0 ? '' : (row[index] ?? ''));
    if (mapping.event < 0) {
      const event = Object.fromEntries(columns.map((column, index) => [column, valueOf(row[index] ?? '')]));
      return { entryId: cell(mapping.entryId), contentType: JSON_TYPE, event: JSON.stringify(event) };
    }
    const event = cell(mapping.event);
    const type = cell(mapping.contentType) || (looksLikeJson(event) ? JSON_TYPE : 'text/plain');
    return { entryId: cell(mapping.entryId), contentType: type, event };
  });
}

/** The mapping that the names of the columns suggest. */
export function guessMapping(columns: readonly string[]): ColumnMapping {
  const find = (...names: readonly string[]): number =>
    columns.findIndex((column) => names.includes(column.trim().toLowerCase().replaceAll(/[ _-]/g, '')));
  return {
    entryId: find('entryid', 'id'),
    contentType: find('contenttype', 'type'),
    event: find('event', 'data', 'payload', 'body'),
  };
}

function readTable(text: string): ReadFile {
  const parsed = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', preview: MOST_ENTRIES + 2 });
  const [mistake] = parsed.errors.filter(({ type }) => type === 'Quotes');
  if (mistake !== undefined) {
    return { kind: 'bad', line: (mistake.row ?? 0) + 1, why: 'csv', detail: mistake.message };
  }
  const [columns = [], ...rows] = parsed.data;
  return { kind: 'table', columns, rows };
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonMistake(text) === undefined;
}

/** Numbers, true, false and null as what they are; everything else is text. */
function valueOf(cell: string): unknown {
  if (/^(true|false|null)$/.test(cell)) return JSON.parse(cell);
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(cell);
  // Digits that a number would lose stay text.
  return isNumber && String(Number(cell)) === cell ? Number(cell) : cell;
}

function isRecording(text: string): boolean {
  return /^\s*\{"kind":"recording"/.test(text);
}

/** The messages of a recording as entries that publish them again, each in the envelope it had. */
function readRecording(text: string): ReadFile {
  const entries: ReadEntry[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (!line.startsWith('{"kind":"message"') || entries.length > MOST_ENTRIES) continue;
    if (jsonMistake(line) !== undefined) return { kind: 'bad', line: number, why: 'json', detail: '' };
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('wire' in value) || typeof value.wire !== 'string')
      continue;
    const isRaw =
      'row' in value &&
      typeof value.row === 'object' &&
      value.row !== null &&
      'raw' in value.row &&
      value.row.raw === true;
    const contentType = isRaw ? 'text/plain' : 'application/cloudevents+json';
    entries.push({ entryId: '', contentType, event: value.wire });
  }
  return { kind: 'entries', entries };
}
