/** The thread of the journal returns memory when the program rests, and goes on afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import { SILENT } from '../support/mock-app-parts.ts';

test('a journal that has returned memory of its thread writes and reads as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-rest-'));
  const journal = await openSqliteJournal({ folder, sync: 'normal', log: SILENT });
  onTestFinished(async () => {
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  });
  await journal.append([{ kind: 'kept', key: 'one', value: 1 }]);
  for (let n = 0; n < 3; n += 1) journal.rest?.();
  await journal.append([{ kind: 'kept', key: 'other', value: 2 }]);
  expect([await journal.kept('one'), await journal.kept('other')]).toEqual([1, 2]);
});
