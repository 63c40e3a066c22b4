/** Options with which a journal on disk is opened. */
import type { Log } from '../../ports/log.ts';
import { BALLAST_BYTES } from './ballast.ts';
import type { OpenFile, SyncLevel } from './requests.ts';

/** The database in the folder. */
export const FILE_NAME = 'sidelight.db';

export interface SqliteJournalOptions {
  /** Must exist. */
  readonly folder: string;
  readonly sync: SyncLevel;
  readonly log: Log;
  /** Default 16 MiB. */
  readonly ballastBytes?: number;
  /** Called every few seconds while opening takes long. */
  readonly onBusy?: ((text: string) => void) | undefined;
  /** True: the folder is deleted when the journal is closed. */
  readonly isScratch?: boolean;
  /** To try a full disk. */
  readonly maxPages?: number;
  /** Ms between two looks at the files, and at a disk that took nothing; default 2 s. */
  readonly lookEveryMs?: number;
}

/** The writing thread's part of it. */
export function howToOpen({
  folder,
  sync,
  ballastBytes = BALLAST_BYTES,
  maxPages,
}: SqliteJournalOptions): OpenFile {
  return { folder, sync, ballastBytes, maxPages };
}
