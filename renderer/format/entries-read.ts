/**
 * Messages between the page and the worker for files: the entries with facts about each, or for a table only
 * the rows that are shown.
 */
import { factsOf, type EntryFacts, type ReadEntry } from './entries.ts';
import { entriesOfTable, type ColumnMapping, type ReadFile } from './entries-table.ts';

/** Questions of the page: first the file; for a table then the entries by its columns. */
export type EntriesQuestion =
  | { readonly ask: 'file'; readonly file: File }
  | { readonly ask: 'columns'; readonly mapping: ColumnMapping };

/** Rows of a table that are shown before it is accepted. */
const SHOWN = 20;

export type FileRead =
  | {
      readonly kind: 'entries';
      readonly entries: readonly ReadEntry[];
      /** Facts about each entry, in order. */
      readonly facts: readonly EntryFacts[];
      readonly isCut: boolean;
    }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      /** The first rows. */
      readonly rows: readonly (readonly string[])[];
      readonly count: number;
      readonly isCut: boolean;
    }
  | Extract<ReadFile, { kind: 'bad' }>;

/**
 * A file for the page.
 * @param mapping meaning of a table's columns, once it is known
 */
export function fileOf(file: ReadFile | undefined, mapping?: ColumnMapping): FileRead {
  if (file === undefined) return { kind: 'bad', line: 1, why: 'empty', detail: '' };
  if (file.kind === 'bad') return file;
  const isCut = file.isCut === true;
  if (file.kind === 'entries') return { ...withFacts(file.entries), isCut };
  const { columns, rows } = file;
  if (mapping !== undefined) return { ...withFacts(entriesOfTable(columns, rows, mapping)), isCut };
  return { kind: 'table', columns, rows: rows.slice(0, SHOWN), count: rows.length, isCut };
}

function withFacts(entries: readonly ReadEntry[]): Omit<Extract<FileRead, { kind: 'entries' }>, 'isCut'> {
  return { kind: 'entries', entries, facts: entries.map((entry) => factsOf(entry)) };
}
