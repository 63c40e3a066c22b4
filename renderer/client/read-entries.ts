/** Reads a file of entries in its own worker. */
import type { EntriesQuestion, FileRead } from '../format/entries-read.ts';
import type { ColumnMapping } from '../format/entries-table.ts';
import { askWorker, type AskHow } from './in-worker.ts';

export interface EntriesReader {
  /** Reads a file. Rejects if the worker cannot run, is aborted, or takes longer than a minute. */
  read(file: File, how: AskHow): Promise<FileRead>;
  /** The entries of the table that was read, by the meaning of its columns. Rejects as `read` does. */
  take(mapping: ColumnMapping, how: AskHow): Promise<FileRead>;
  /** Ends the worker, and with it the table that it may hold. */
  close(): void;
}

/** A reader for one file. */
export function openEntriesReader(): EntriesReader {
  const worker = new Worker(new URL('../workers/entries.ts', import.meta.url), { type: 'module' });
  return {
    read: (file, how) => askWorker(worker, { ask: 'file', file } satisfies EntriesQuestion, how),
    take: (mapping, how) => askWorker(worker, { ask: 'columns', mapping } satisfies EntriesQuestion, how),
    close: () => worker.terminate(),
  };
}
