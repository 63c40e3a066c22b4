// The interface's rows as data, for tests that go through them one by one.
import { readFileSync } from 'node:fs';

export interface SpecRow {
  readonly id: string;
  readonly says: string;
  readonly outcome?: string;
  readonly log?: 'warn' | 'error';
  /** Answers of an app; body null = larger than the size limit. */
  readonly examples?: readonly { readonly status: number; readonly body: string | null }[];
  readonly status?: number;
  readonly code?: string;
  readonly contentType?: string;
  readonly method?: string;
  readonly path?: string;
}

interface SpecTable {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly SpecRow[];
}

const document = JSON.parse(readFileSync(new URL('../../docs/spec-rows.json', import.meta.url), 'utf8')) as {
  readonly tables: readonly SpecTable[];
};

export const TABLES = document.tables;

export function rowsOf(table: string): readonly SpecRow[] {
  const found = TABLES.find(({ id }) => id === table);
  if (found === undefined) throw new Error(`docs/spec-rows.json has no table ${table}`);
  return found.rows;
}
