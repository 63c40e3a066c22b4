/** Reports while opening the file takes long: the step, its size, its progress, and its end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Opening } from '../../core/adapters/sqlite-journal/opening.ts';
import type { OpenStep } from '../../core/adapters/sqlite-journal/requests.ts';
import { migrate, STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await at.remove();
});

const MB = 1_000_000;

function opening(): { readonly opening: Opening; readonly busy: string[]; readonly lines: string[] } {
  const [busy, lines]: [string[], string[]] = [[], []];
  const log = { write: (level: string, _: string, text: string) => void lines.push(`${level}: ${text}`) };
  return { opening: new Opening({ log, onBusy: (text) => void busy.push(text) }), busy, lines };
}

test('the conversion of an older file is reported with its size, copy, step and end, to the starter too', () => {
  const { opening: told, busy, lines } = opening();
  const copy = join(at.folder, 'sidelight.db.version-2');
  told.take({ kind: 'copy', bytes: 2_100 * MB, copy, from: 2, to: 3 });
  expect(lines).toEqual([
    'warn: Sidelight converts the history (2.1 GB, format 2) to format 3. That may take a while. If it is interrupted, nothing is lost and the next start repeats it.',
  ]);
  vi.advanceTimersByTime(3_000);
  writeFileSync(copy, Buffer.alloc(5 * MB));
  vi.advanceTimersByTime(3_000);
  told.take({ kind: 'migrate', to: 3 });
  vi.advanceTimersByTime(3_000);
  told.end();
  vi.advanceTimersByTime(30_000);
  expect(lines.slice(1)).toEqual([
    'info: Sidelight copies the old history to sidelight.db.version-2: 0 kB of about 2.1 GB, 3 s so far.',
    'info: Sidelight copies the old history to sidelight.db.version-2: 5 MB of about 2.1 GB, 6 s so far.',
    'info: Sidelight converts the history to format 3: 9 s so far.',
    'info: Sidelight converted the history to format 3 in 9 s.',
  ]);
  expect(busy).toEqual(lines.map((line) => line.replace(/^\w+: /, '')));
});

describe('a short step is not reported, a long one is', () => {
  test.each<[OpenStep, string]>([
    [
      { kind: 'check', bytes: 400 * MB },
      'Sidelight checks the history (400 MB), because it did not end cleanly last time: 3 s so far.',
    ],
    [
      { kind: 'salvage', bytes: 400 * MB },
      'Sidelight saves what it can read of the damaged history (400 MB): 3 s so far.',
    ],
  ])('the step %o is reported after three seconds', (step, text) => {
    const { opening: told, lines } = opening();
    told.take(step);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(3_000);
    told.failed();
    vi.advanceTimersByTime(3_000);
    expect(lines).toEqual([`info: ${text}`]);
  });
});

test('a check after the start is not reported', () => {
  const { opening: told, lines } = opening();
  told.end();
  told.take({ kind: 'check', bytes: 400 * MB });
  vi.advanceTimersByTime(30_000);
  expect(lines).toEqual([]);
});

test('the conversion of a read-only file is reported as that of its copy', () => {
  const { opening: told, lines } = opening();
  told.take({ kind: 'copy', bytes: 2_500, copy: join(at.folder, 'x'), from: 1, to: 3, aside: true });
  expect(lines).toEqual([
    'warn: The history (3 kB, format 1) is read-only. Sidelight converts a copy of it to format 3 so that it can read it. That may take a while.',
  ]);
  told.failed();
});

test('opening a journal reports the steps of its file in their order', async () => {
  const older = new (needSqlite().DatabaseSync)(at.file);
  migrate(older, at.file, () => undefined, STEPS.slice(0, 1));
  older.close();
  const busy: string[] = [];
  await at.open({ onBusy: (text) => void busy.push(text) });
  expect(at.lines).toEqual([
    expect.stringMatching(
      /^warn journal: Sidelight converts the history \(\d+ kB, format 1\) to format 6\. /,
    ),
    expect.stringMatching(/^info journal: Sidelight converted the history to format 6 in \d+ m?s\.$/),
  ]);
  expect(busy).toHaveLength(2);
});

test('opening a file of the present format reports nothing', async () => {
  const journal = await at.open();
  await journal.close();
  at.lines.length = 0;
  await at.open();
  expect(at.lines).toEqual([]);
});
