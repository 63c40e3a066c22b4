/** Files of the data folder are removed or cut while the product runs: the log and a banner of the console say so, with what to do. */
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openJournal } from '../../core/host/open-journal.ts';
import type { OpenJournal } from '../../core/host/open-journal.ts';
import { readOptions } from '../../core/host/options.ts';
import { productInProcess } from '../support/in-process.ts';
import { accepted } from '../adapters/journal-records.ts';

const PATIENT = { timeout: 15_000 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-spoiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(folder: string, lines: string[]): Promise<OpenJournal> {
  const log = { write: (...[, , text]: readonly unknown[]) => void lines.push(String(text)) };
  const open = await openJournal(readOptions(['--headless', '--data-dir', folder], {}), 'normal', log);
  onTestFinished(() => open.journal.close());
  return open;
}

// Windows does not let an open file be removed.
test.skipIf(process.platform === 'win32').each([
  ['lock.db', /^lock\.db was removed .*leave the files/i],
  ['console-key', /^console-key was removed .*need not do anything/i],
])('a removed %s is a banner of the console', async (file, said) => {
  const folder = newFolder();
  const product = await productInProcess({ flags: ['--data-dir', folder] });
  onTestFinished(async () => void (await product.stop()));
  rmSync(join(folder, file));
  await expect
    .poll(async () => (await product.rpc('system.describe', {})).banners.map(({ text }) => text), PATIENT)
    .toContainEqual(expect.stringMatching(said));
});

test('what is lost of newest records that another program cut is a banner, with how many messages', async () => {
  const folder = newFolder();
  const lines: string[] = [];
  const { journal, banners } = await opened(folder, lines);
  await journal.append([accepted(1)]);
  await journal.stats();
  await Promise.all([journal.append([accepted(2)]), journal.append([accepted(3)])]);
  truncateSync(join(folder, 'sidelight.db-newest'), 0);
  const lost = expect.stringMatching(/sidelight\.db-newest.*2 new messages.*lost.*leave the files/i);
  await expect.poll(() => banners().map(({ text }) => text), PATIENT).toContainEqual(lost);
  expect(lines).toContainEqual(lost);
  await journal.append([accepted(4)]);
  expect((await journal.stats()).messages).toBe(2);
});
