/** Reads a chosen file: its entries are added at once, a table asks for its columns first. */
import { useEffect, useRef, useState } from 'react';
import { MAX_FRAME_BYTES } from '../../../core/contract/rpc.ts';
import { errorText } from '../../../core/contract/error-text.ts';
import { fill } from '../../copy/fill.ts';
import { BULK, BULK_FILE, PUBLISH } from '../../copy/publish.ts';
import type { EntriesReader } from '../../client/read-entries.ts';
import type { EntryFacts, ReadEntry } from '../../format/entries.ts';
import type { FileRead } from '../../format/entries-read.ts';
import type { ColumnMapping } from '../../format/entries-table.ts';
import { count, size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';

export type Table = Extract<FileRead, { kind: 'table' }>;

/** Adds entries with the facts about each. */
export type AddEntries = (entries: readonly ReadEntry[], facts?: readonly EntryFacts[]) => void;

/** What became of a file or of pasted text. */
export interface Taken {
  readonly isTaken: boolean;
  /** Why nothing was taken; absent: the person cancelled it. */
  readonly mistake?: string;
}

export interface EntryFile {
  readonly open: (file: File) => Promise<Taken>;
  /** A table that waits for its columns. */
  readonly table: Table | undefined;
  /** Makes entries of the table and closes it. */
  readonly take: (mapping: ColumnMapping) => void;
  /** True while the file's entries are being made. */
  readonly isTaking: boolean;
  readonly close: () => void;
  /** Name of the file that is being read, and the share that is done, from 0 to 1. */
  readonly reading: { readonly name: string; readonly share: number } | undefined;
  readonly cancel: () => void;
}

const CANCELLED: Taken = { isTaken: false };

/** State and acts of the import button. */
export function useEntryFile(add: AddEntries): EntryFile {
  const { toasts } = useConsole();
  const [table, setTable] = useState<Table>();
  const [reading, setReading] = useState<EntryFile['reading']>();
  const [isTaking, setTaking] = useState(false);
  /** The present reading. Cancelling it ends only its own worker. */
  const current = useRef<{ readonly reader: EntriesReader; readonly stop: AbortController }>(undefined);
  /** Number of the file, so that a cancelled one does not change the next. */
  const turn = useRef(0);

  function close(): void {
    turn.current += 1;
    current.current?.stop.abort();
    current.current?.reader.close();
    current.current = undefined;
    setTable(undefined);
    setReading(undefined);
    setTaking(false);
  }
  useEffect(
    () => () => {
      turn.current += 1;
      current.current?.stop.abort();
      current.current?.reader.close();
    },
    [],
  );

  async function open(file: File): Promise<Taken> {
    close();
    const mine = turn.current;
    const isMine = (): boolean => turn.current === mine;
    setReading({ name: file.name, share: 0 });
    try {
      const { openEntriesReader } = await import('../../client/read-entries.ts');
      if (!isMine()) return CANCELLED;
      const now = { reader: openEntriesReader(), stop: new AbortController() };
      current.current = now;
      const onShare = (share: number): void => {
        if (isMine()) setReading({ name: file.name, share });
      };
      const read = await now.reader.read(file, { signal: now.stop.signal, onShare });
      if (!isMine()) return CANCELLED;
      if (read.kind !== 'bad' && read.isCut) toasts.failed(leftOutText(read));
      if (read.kind === 'table') {
        setTable(read);
        setReading(undefined);
        return { isTaken: true };
      }
      close();
      if (read.kind === 'bad') return { isTaken: false, mistake: mistakeOf(read) };
      add(read.entries, read.facts);
      return { isTaken: true };
    } catch (reason) {
      if (!isMine()) return CANCELLED;
      close();
      return { isTaken: false, mistake: failureText(reason) };
    }
  }

  function take(mapping: ColumnMapping): void {
    const now = current.current;
    if (now === undefined || isTaking) return;
    setTaking(true);
    now.reader.take(mapping, { signal: now.stop.signal }).then(
      (read) => {
        if (current.current !== now) return;
        close();
        if (read.kind === 'entries') add(read.entries, read.facts);
      },
      (reason: unknown) => {
        if (current.current !== now) return;
        close();
        toasts.failed(failureText(reason));
      },
    );
  }

  return { open, table, take, isTaking, close, reading, cancel: close };
}

function failureText(reason: unknown): string {
  return fill(PUBLISH.loadFailed, { message: errorText(reason) });
}

/** Text about a file with more entries than one request can carry. */
function leftOutText(read: Exclude<FileRead, { kind: 'bad' }>): string {
  const n = count(read.kind === 'table' ? read.count : read.entries.length);
  return fill(BULK_FILE.leftOut, { n, most: size(MAX_FRAME_BYTES) });
}

function mistakeOf({ line, why, detail }: Extract<FileRead, { kind: 'bad' }>): string {
  if (why === 'json') return fill(BULK.lineBad, { line });
  if (why === 'csv') return fill(BULK_FILE.csvBad, { line, detail });
  return why === 'utf8' ? BULK_FILE.notUtf8 : BULK_FILE.emptyFile;
}
