/** A program that writes thousands of files into a watched folder does not hold the product up. */
import type * as Fs from 'node:fs';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileWatch } from '../../../core/host/multi-run/file-watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { folderWith } from './plan-of.ts';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof Fs>();
  return { ...fs, readdirSync: vi.fn<typeof fs.readdirSync>(fs.readdirSync) };
});

test('files that are written at once are looked up with few reads of their folder', async () => {
  const folder = folderWith({ 'src/a.js': '1' });
  const clock = new ManualClock();
  let changes = 0;
  const trouble: string[] = [];
  const watch = new FileWatch({
    folder,
    globs: ['src/**/*.js'],
    clock,
    onChange: () => (changes += 1),
    onTrouble: (text) => trouble.push(text),
    onMissed: () => undefined,
  });
  onTestFinished(() => watch.close());
  vi.mocked(readdirSync).mockClear();
  for (let i = 0; i < 1000; i += 1) writeFileSync(join(folder, `src/${i}.txt`), '');
  mkdirSync(join(folder, 'src/last'));
  // A file in the folder that came last is found only once the folder is watched.
  // On a busy machine the watch rests for seconds after it has read a folder.
  await vi.waitFor(
    () => {
      writeFileSync(join(folder, 'src/last/b.js'), String(Math.random()));
      expect(clock.waiting).toBe(1);
    },
    { timeout: 15_000 },
  );
  clock.advance(300);
  expect(changes).toBe(1);
  expect(trouble).toEqual([]);
  expect(vi.mocked(readdirSync).mock.calls.length).toBeLessThan(50);
});
