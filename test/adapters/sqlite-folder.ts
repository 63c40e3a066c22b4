/** A journal on disk for a test: in a folder of its own that is removed afterwards. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import type { SqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import type { SqliteJournalOptions } from '../../core/adapters/sqlite-journal/options.ts';
import type { Log } from '../../core/ports/log.ts';
import { fill, pageNumbers } from './journal-records.ts';

export interface TestFolder {
  readonly folder: string;
  /** The journal's file. */
  readonly file: string;
  readonly lines: string[];
  open(more?: Partial<SqliteJournalOptions>): Promise<SqliteJournal>;
  /** Closes what is open, removes the folder. */
  remove(): Promise<void>;
}

export async function testFolder(): Promise<TestFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-journal-'));
  const lines: string[] = [];
  const log: Log = { write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`) };
  const open: SqliteJournal[] = [];
  return {
    folder,
    file: join(folder, 'sidelight.db'),
    lines,
    open: async (more) => {
      const journal = await openSqliteJournal({ folder, sync: 'normal', log, ballastBytes: 0, ...more });
      open.push(journal);
      return journal;
    },
    remove: async () => {
      for (const journal of open) await journal.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A history that is being used. */
export interface InUse {
  readonly at: TestFolder;
  readonly journal: SqliteJournal;
  /** What a person was told. */
  readonly reported: readonly string[];
}

/** A journal looks after its files this often where a test waits for it. */
export const LOOK_EVERY_MS = 100;

/** A history of five messages, which a read has brought into the tables, and so into the log of the database. */
export async function historyInUse(lookEveryMs = LOOK_EVERY_MS): Promise<InUse> {
  const at = await testFolder();
  const journal = await at.open({ lookEveryMs });
  const reported: string[] = [];
  journal.onTrouble((text) => reported.push(text));
  await fill(journal, 1, 5);
  await pageNumbers(journal);
  return { at, journal, reported };
}

/** Gives folders the file that `fill` makes of a new journal, closed. It is made for the first of them and copied for the others. */
export function filledFile(
  fill: (journal: SqliteJournal) => Promise<void>,
): (at: TestFolder) => Promise<void> {
  const make = async (): Promise<Buffer> => {
    const at = await testFolder();
    try {
      const journal = await at.open();
      await fill(journal);
      await journal.close();
      return await readFile(at.file);
    } finally {
      await at.remove();
    }
  };
  let made: Promise<Buffer> | undefined;
  return async (at) => {
    made ??= make();
    await writeFile(at.file, await made);
  };
}
