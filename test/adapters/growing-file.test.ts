/** Files that grow between the look at their size and their read are read up to the limit. */
import type * as Fs from 'node:fs/promises';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readAtMost } from '../../core/adapters/bounded-file.ts';
import { readFolder } from '../../core/adapters/component-files/read-folder.ts';
import { createRequestFiles } from '../../core/adapters/request-files.ts';

vi.mock('node:fs/promises', async (load) => {
  const fs = await load<typeof Fs>();
  return { ...fs, stat: vi.fn<typeof fs.stat>(fs.stat) };
});

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'growing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** Every file had this many bytes when it was looked at. */
async function sizeWas(bytes: number): Promise<void> {
  const { stat: real } = await vi.importActual<typeof Fs>('node:fs/promises');
  vi.mocked(stat).mockImplementation((async (path: string) => {
    const found = await real(path);
    found.size = bytes;
    return found;
  }) as typeof stat);
}

const GROWN = 'The file has grown while it was read, beyond what Sidelight reads.';

test('a component file that has grown is one problem, and the others are read', async () => {
  const folder = await folderOf({ 'a.yaml': `# ${'x'.repeat(1024 * 1024)}`, 'b.yaml': 'kind: Component' });
  await sizeWas(20);
  const { files, problems } = await readFolder(folder);
  expect(files).toEqual([{ file: 'b.yaml', text: 'kind: Component' }]);
  expect(problems).toMatchObject([{ file: 'a.yaml', message: GROWN }]);
});

test('a file of requests that has grown is one problem', async () => {
  const folder = await folderOf({ 'a.sidelight.json': ' '.repeat(4 * 1024 * 1024 + 1) });
  await sizeWas(20);
  const { files, problems } = await createRequestFiles(folder).read();
  expect(files).toEqual([]);
  expect(problems).toMatchObject([{ file: 'a.sidelight.json', message: GROWN }]);
});

test.each([
  [0, 0],
  [65_536, 65_536],
  [200_000, 200_000],
  [200_000, 199_999],
])('of a file of %i bytes at most %i are read', async (bytes, most) => {
  const folder = await folderOf({ file: 'y'.repeat(bytes) });
  const read = await readAtMost(join(folder, 'file'), most);
  expect(read?.toString()).toBe(bytes > most ? undefined : 'y'.repeat(bytes));
});
