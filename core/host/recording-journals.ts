/**
 * Journals for opened recordings: in folders of their own inside the data folder, removed when they are
 * closed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../adapters/sqlite-journal/journal.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';

const FOLDER = 'recordings';

/**
 * Opens such a journal.
 * @param dataDir undefined: the folder is not writable, and the folder for temporary files is used
 */
export function openRecordingJournal(dataDir: string | undefined, log: Log): Promise<Journal> {
  const parent = dataDir === undefined ? join(tmpdir(), 'sidelight-') : join(dataDir, FOLDER, 'open-');
  if (dataDir !== undefined) mkdirSync(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(parent);
  return openSqliteJournal({ folder, sync: 'normal', ballastBytes: 0, isScratch: true, log });
}

/** Removes journals that a killed process left. The folder must belong to this process. */
export function clearRecordingJournals(dataDir: string): void {
  try {
    rmSync(join(dataDir, FOLDER), { recursive: true, force: true });
  } catch (error) {
    // A folder that is not writable keeps its content; the journal reports the problem.
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}
