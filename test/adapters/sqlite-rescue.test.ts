/** The file is removed while it is in use: what was in it is written again, now or as soon as that can be done. */
import { readdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import type { OpenStep } from '../../core/adapters/sqlite-journal/requests.ts';
import { Writer } from '../../core/adapters/sqlite-journal/writer.ts';
import { accepted, count, delivered, fill, pageNumbers } from './journal-records.ts';
import { LOOK_EVERY_MS, testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

const PATIENT = { timeout: 15_000 };

let at: TestFolder;
let journal: SqliteJournal;
let told: string[];
beforeEach(async () => {
  at = await testFolder();
  journal = await at.open({ lookEveryMs: LOOK_EVERY_MS });
  told = [];
  journal.onTrouble((text) => told.push(text));
  await fill(journal, 1, 5);
});
afterEach(() => at.remove());

// Windows does not let an open file be removed.
describe.skipIf(process.platform === 'win32')('a file that was removed', () => {
  test('answers reads and refuses new messages until it can be written again', async () => {
    await rm(at.folder, { recursive: true });
    await writeFile(at.folder, 'in the way');
    await expect.poll(() => journal.trouble, PATIENT).toContain('could not write it again');
    expect(at.lines).toEqual([expect.stringContaining('could not write it again')]);
    expect((await pageNumbers(journal)).numbers).toEqual([5, 4, 3, 2, 1]);
    await expect(journal.append([accepted(6)])).rejects.toMatchObject({
      name: 'JournalError',
      message: expect.stringContaining('was removed'),
    });
    expect(journal.trouble).toContain('was removed');
    await journal.append([delivered(1, 'processed', { nth: 2 })]);
    expect(journal.trouble).toContain('was removed');
    await rm(at.folder);
    await expect.poll(() => told, PATIENT).toEqual([expect.stringContaining('written it again as')]);
    expect(journal.trouble).toBeUndefined();
    await journal.append([accepted(6)]);
    expect((await journal.get('msg_1'))?.deliveries).toHaveLength(2);
    await journal.close();
    expect((await pageNumbers(await at.open())).numbers).toEqual(count(1, 6).toReversed());
  });

  test('is written at the close if it could not be written before', async () => {
    await rm(at.folder, { recursive: true });
    await writeFile(at.folder, 'in the way');
    await expect.poll(() => journal.trouble, PATIENT).toContain('could not write it again');
    await rm(at.folder);
    await journal.close();
    expect((await pageNumbers(await at.open())).numbers).toEqual([5, 4, 3, 2, 1]);
  });

  test('is written again without the check of a start', async () => {
    await journal.close();
    const steps: OpenStep[] = [];
    const writer = new Writer(Date.now, (step) => steps.push(step));
    writer.open({ folder: at.folder, sync: 'normal', ballastBytes: 0 });
    await rm(at.file);
    writer.copyAway({ held: undefined });
    writer.rescue({ held: undefined, newest: undefined });
    writer.close();
    expect(steps).toEqual([]);
    expect((await pageNumbers(await at.open())).numbers).toEqual([5, 4, 3, 2, 1]);
  });

  test('a file that was moved into its place is kept', async () => {
    await writeFile(join(at.folder, 'other'), 'of somebody else');
    await rename(join(at.folder, 'other'), at.file);
    await expect
      .poll(() => told, PATIENT)
      .toEqual([expect.stringContaining('is kept as sidelight.db.replaced-')]);
    const kept = readdirSync(at.folder).filter((name) => name.startsWith('sidelight.db.replaced-'));
    expect(kept).toHaveLength(1);
    expect((await pageNumbers(journal)).numbers).toEqual([5, 4, 3, 2, 1]);
  });
});
