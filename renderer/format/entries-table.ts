/** Turns the rows of a table into entries. This file is separate from the reader, which runs in a worker. */
import type { ReadEntry } from './entries.ts';
import { jsonMistake } from '../../core/contract/json-position.ts';

/** Content of a file. For a table the meaning of the columns is still missing. */
export type ReadFile =
  | {
      readonly kind: 'entries';
      readonly entries: readonly ReadEntry[];
      /** Set if the file has more than one request can carry. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly isCut?: boolean;
    }
  | {
      readonly kind: 'bad';
      readonly line: number;
      readonly why: 'json' | 'csv' | 'utf8' | 'empty';
      readonly detail: string;
    };

/** Index of the column for each part; without `event` each row becomes a JSON object. -1: none. */
export interface ColumnMapping {
  readonly entryId: number;
  readonly contentType: number;
  readonly event: number;
}

const JSON_TYPE = 'application/json';

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

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonMistake(text) === undefined;
}

/** Value of a cell: numbers, true, false and null as such, everything else as text. */
function valueOf(cell: string): unknown {
  if (/^(true|false|null)$/.test(cell)) return JSON.parse(cell);
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(cell);
  // A number that would lose digits stays text.
  return isNumber && String(Number(cell)) === cell ? Number(cell) : cell;
}
