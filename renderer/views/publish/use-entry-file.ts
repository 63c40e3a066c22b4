/** Reads a chosen file: its entries are added at once, a table asks for its columns first. */
import { useState } from 'react';
import { fill } from '../../copy/fill.ts';
import { BULK, BULK_FILE, PUBLISH } from '../../copy/publish.ts';
import type { ReadEntry } from '../../format/entries.ts';
import type { ReadFile } from '../../format/entries-table.ts';
import { useConsole } from '../../state/context.ts';

type Table = Extract<ReadFile, { kind: 'table' }>;

export interface EntryFile {
  readonly open: (file: File) => Promise<void>;
  /** A table that waits for its columns. */
  readonly table: Table | undefined;
  readonly close: () => void;
  readonly reading: boolean;
}

/** State and acts of the import button. */
export function useEntryFile(add: (entries: readonly ReadEntry[]) => void): EntryFile {
  const { toasts } = useConsole();
  const [table, setTable] = useState<Table>();
  const [reading, setReading] = useState(false);

  async function open(file: File): Promise<void> {
    setReading(true);
    try {
      const { readFileOfEntries } = await import('../../client/read-file.ts');
      const read = await readFileOfEntries(file);
      if (read.kind === 'entries') add(read.entries);
      else if (read.kind === 'table') setTable(read);
      else toasts.failed(mistakeOf(read));
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : String(reason);
      toasts.failed(fill(PUBLISH.loadFailed, { message }));
    } finally {
      setReading(false);
    }
  }

  return { open, table, close: () => setTable(undefined), reading };
}

function mistakeOf({ line, why, detail }: Extract<ReadFile, { kind: 'bad' }>): string {
  if (why === 'json') return fill(BULK.lineBad, { line });
  if (why === 'csv') return fill(BULK_FILE.csvBad, { line, detail });
  return why === 'utf8' ? BULK_FILE.notUtf8 : BULK_FILE.emptyFile;
}
