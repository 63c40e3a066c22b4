/** Reads a chosen file: its entries are added at once, a table asks for its columns first. */
import { useRef, useState } from 'react';
import { MAX_FRAME_BYTES } from '../../../core/contract/rpc.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, BULK_FILE, PUBLISH } from '../../copy/publish.ts';
import type { ReadEntry } from '../../format/entries.ts';
import type { ReadFile } from '../../format/entries-table.ts';
import { count, size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';

type Table = Extract<ReadFile, { kind: 'table' }>;

export interface EntryFile {
  readonly open: (file: File) => Promise<void>;
  /** A table that waits for its columns. */
  readonly table: Table | undefined;
  readonly close: () => void;
  /** Name of the file that is being read. */
  readonly reading: string | undefined;
  readonly cancel: () => void;
}

/** State and acts of the import button. */
export function useEntryFile(add: (entries: readonly ReadEntry[]) => void): EntryFile {
  const { toasts } = useConsole();
  const [table, setTable] = useState<Table>();
  const [reading, setReading] = useState<string>();
  const stop = useRef<AbortController>(undefined);

  async function open(file: File): Promise<void> {
    const now = new AbortController();
    stop.current = now;
    setReading(file.name);
    try {
      const { readFileOfEntries } = await import('../../client/read-file.ts');
      const read = await readFileOfEntries(file, now.signal);
      if (read.kind !== 'bad' && read.isCut === true) {
        const taken = read.kind === 'table' ? read.rows : read.entries;
        toasts.failed(fill(BULK_FILE.leftOut, { n: count(taken.length), most: size(MAX_FRAME_BYTES) }));
      }
      if (read.kind === 'entries') add(read.entries);
      else if (read.kind === 'table') setTable(read);
      else toasts.failed(mistakeOf(read));
    } catch (reason) {
      if (now.signal.aborted) return;
      const message = reason instanceof Error ? reason.message : String(reason);
      toasts.failed(fill(PUBLISH.loadFailed, { message }));
    } finally {
      setReading(undefined);
    }
  }

  return { open, table, close: () => setTable(undefined), reading, cancel: () => stop.current?.abort() };
}

function mistakeOf({ line, why, detail }: Extract<ReadFile, { kind: 'bad' }>): string {
  if (why === 'json') return fill(BULK.lineBad, { line });
  if (why === 'csv') return fill(BULK_FILE.csvBad, { line, detail });
  return why === 'utf8' ? BULK_FILE.notUtf8 : BULK_FILE.emptyFile;
}
