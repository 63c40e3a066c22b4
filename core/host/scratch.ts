/** Journals of recordings that are looked at: in folders of their own inside the data folder, gone when they are closed. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../adapters/sqlite-journal/journal.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';

const FOLDER = 'recordings';

/** @param dataDir undefined: it cannot be written, and the folder for temporary files is in */
export function openScratch(dataDir: string | undefined, log: Log): Promise<Journal> {
  const parent = dataDir === undefined ? join(tmpdir(), 'sidelight-') : join(dataDir, FOLDER, 'open-');
  if (dataDir !== undefined) mkdirSync(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(parent);
  return openSqliteJournal({ folder, sync: 'normal', ballastBytes: 0, isScratch: true, log });
}

/** What a process that was killed left behind. The folder must be this process's own. */
export function clearScratch(dataDir: string): void {
  try {
    rmSync(join(dataDir, FOLDER), { recursive: true, force: true });
  } catch (error) {
    // A folder that cannot be written keeps what lies in it; the journal says what is wrong with it.
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}
