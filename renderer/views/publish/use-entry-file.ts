/** Reads a chosen file: its entries are added at once, a table asks for its columns first. */
import { useEffect, useRef, useState } from 'react';
import { MAX_FRAME_BYTES } from '../../../core/contract/rpc.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, BULK_FILE, PUBLISH } from '../../copy/publish.ts';
import type { EntriesReader } from '../../client/read-entries.ts';
import type { EntryFacts, ReadEntry } from '../../format/entries.ts';
import type { FileRead } from '../../format/entries-read.ts';
import type { ColumnMapping } from '../../format/entries-table.ts';
import { count, size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';

export type Table = Extract<FileRead, { kind: 'table' }>;

/** Takes entries with what is known of each. */
export type AddEntries = (entries: readonly ReadEntry[], facts?: readonly EntryFacts[]) => void;

export interface EntryFile {
  /** @returns whether it could be read */
  readonly open: (file: File) => Promise<boolean>;
  /** A table that waits for its columns. */
  readonly table: Table | undefined;
  /** Makes entries of the table and closes it. */
  readonly take: (mapping: ColumnMapping) => void;
  readonly close: () => void;
  /** Name of the file that is being read, and how much of it is, from 0 to 1. */
  readonly reading: { readonly name: string; readonly share: number } | undefined;
  readonly cancel: () => void;
}

/** State and acts of the import button. */
export function useEntryFile(add: AddEntries): EntryFile {
  const { toasts } = useConsole();
  const [table, setTable] = useState<Table>();
  const [reading, setReading] = useState<EntryFile['reading']>();
  const stop = useRef<AbortController>(undefined);
  const reader = useRef<EntriesReader>(undefined);

  function close(): void {
    reader.current?.close();
    reader.current = undefined;
    setTable(undefined);
  }
  useEffect(
    () => () => {
      stop.current?.abort();
      reader.current?.close();
    },
    [],
  );

  function failed(reason: unknown): void {
    const message = reason instanceof Error ? reason.message : String(reason);
    toasts.failed(fill(PUBLISH.loadFailed, { message }));
  }

  async function open(file: File): Promise<boolean> {
    const now = new AbortController();
    stop.current = now;
    close();
    setReading({ name: file.name, share: 0 });
    try {
      const { openEntriesReader } = await import('../../client/read-entries.ts');
      reader.current = openEntriesReader();
      const onShare = (share: number): void => setReading({ name: file.name, share });
      const read = await reader.current.read(file, { signal: now.signal, onShare });
      if (read.kind !== 'bad' && read.isCut) {
        const n = count(read.kind === 'table' ? read.count : read.entries.length);
        toasts.failed(fill(BULK_FILE.leftOut, { n, most: size(MAX_FRAME_BYTES) }));
      }
      if (read.kind === 'table') {
        setTable(read);
        return true;
      }
      close();
      if (read.kind === 'entries') add(read.entries, read.facts);
      else toasts.failed(mistakeOf(read));
      return read.kind === 'entries';
    } catch (reason) {
      close();
      if (!now.signal.aborted) failed(reason);
      return false;
    } finally {
      setReading(undefined);
    }
  }

  function take(mapping: ColumnMapping): void {
    reader.current
      ?.take(mapping)
      .then((read) => read.kind === 'entries' && add(read.entries, read.facts), failed)
      .finally(close);
  }

  return { open, table, take, close, reading, cancel: () => stop.current?.abort() };
}

function mistakeOf({ line, why, detail }: Extract<FileRead, { kind: 'bad' }>): string {
  if (why === 'json') return fill(BULK.lineBad, { line });
  if (why === 'csv') return fill(BULK_FILE.csvBad, { line, detail });
  return why === 'utf8' ? BULK_FILE.notUtf8 : BULK_FILE.emptyFile;
}
