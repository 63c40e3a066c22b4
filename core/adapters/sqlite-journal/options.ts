/** Options with which a journal on disk is opened. */
import type { Log } from '../../ports/log.ts';
import type { OpenFile, SyncLevel } from './requests.ts';

export interface SqliteJournalOptions {
  /** Must exist. */
  readonly folder: string;
  readonly sync: SyncLevel;
  readonly log: Log;
  /** Default 16 MiB. */
  readonly ballastBytes?: number;
  /** Told every few seconds while opening it takes long. */
  readonly onBusy?: ((text: string) => void) | undefined;
  /** The folder goes when the journal is closed. */
  readonly isScratch?: boolean;
  /** To try a full disk. */
  readonly maxPages?: number;
}

const BALLAST_BYTES = 16 * 1024 * 1024;

/** The writing thread's part of it. */
export function howToOpen({
  folder,
  sync,
  ballastBytes = BALLAST_BYTES,
  maxPages,
}: SqliteJournalOptions): OpenFile {
  return { folder, sync, ballastBytes, maxPages };
}
