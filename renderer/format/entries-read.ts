/** What the page is told of a file of entries: the entries with what is known of each, or of a table no more than is looked at. */
import { factsOf, type EntryFacts, type ReadEntry } from './entries.ts';
import { entriesOfTable, type ColumnMapping, type ReadFile } from './entries-table.ts';

/** What the page asks: a file first; of a table then what its columns make of it. */
export type EntriesQuestion =
  | { readonly ask: 'file'; readonly file: File }
  | { readonly ask: 'columns'; readonly mapping: ColumnMapping };

/** Rows of a table that a person looks at before it is taken. */
const SHOWN = 20;

export type FileRead =
  | {
      readonly kind: 'entries';
      readonly entries: readonly ReadEntry[];
      /** Facts about each entry, in the order of the entries. */
      readonly facts: readonly EntryFacts[];
      readonly isCut: boolean;
    }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      /** The first ones. */
      readonly rows: readonly (readonly string[])[];
      readonly count: number;
      readonly isCut: boolean;
    }
  | Extract<ReadFile, { kind: 'bad' }>;

/** A file for the page. @param mapping of its columns, once a table has one */
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
