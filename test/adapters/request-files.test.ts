/** Files of saved requests in a folder: which are read, and the problems of the others. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRequestFiles } from '../../core/adapters/request-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-requests-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (name: string, text: string | Uint8Array): Promise<void> => writeFile(join(folder, name), text);

test('files with the ending .sidelight.json are read in the order of their names', async () => {
  await put('b.sidelight.json', 'b');
  await put('a.sidelight.json', 'a');
  await put('.hidden.sidelight.json', '');
  await put('a.sidelight.jsonl', '');
  await put('pubsub.yaml', '');
  const { files, problems } = await createRequestFiles(folder).read();
  expect(files.map(({ file, text }) => [file, text])).toEqual([
    ['a.sidelight.json', 'a'],
    ['b.sidelight.json', 'b'],
  ]);
  expect(files[0]?.writtenAt).toMatch(/^\d{4}-.*Z$/);
  expect(problems).toEqual([]);
});

test('files that cannot be read are named with the reason', async () => {
  await put('bytes.sidelight.json', new Uint8Array([0xff, 0xfe]));
  await put('large.sidelight.json', ' '.repeat(4 * 1024 * 1024 + 1));
  await mkdir(join(folder, 'x.sidelight.json'));
  const { files, problems } = await createRequestFiles(folder).read();
  expect(files).toEqual([]);
  expect(problems).toMatchObject([
    { file: 'bytes.sidelight.json', message: 'The file is not UTF-8 text.' },
    { file: 'large.sidelight.json', message: 'The file has 4,194,305 bytes; Sidelight reads at most 4 MiB.' },
    { file: 'x.sidelight.json', message: 'It is not a file.' },
  ]);
});

test.skipIf(process.platform === 'win32')('a pipe or device is not read, also behind a link', async () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'fifo.sidelight.json')]);
  await symlink('/dev/zero', join(folder, 'zero.sidelight.json'));
  await put('kept.json', 'kept');
  await symlink(join(folder, 'kept.json'), join(folder, 'link.sidelight.json'));
  const { files, problems } = await createRequestFiles(folder).read();
  expect(files).toMatchObject([{ file: 'link.sidelight.json', text: 'kept' }]);
  expect(problems).toMatchObject([
    { file: 'fifo.sidelight.json', message: 'It is not a file.' },
    { file: 'zero.sidelight.json', message: 'It is not a file.' },
  ]);
});

test('all files together have a limit of bytes', async () => {
  const large = ' '.repeat(4 * 1024 * 1024);
  for (const name of 'abcd') await put(`${name}.sidelight.json`, large);
  await put('e.sidelight.json', 'e');
  const { files, problems } = await createRequestFiles(folder).read();
  expect(files.map(({ file }) => file)).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}.sidelight.json`));
  expect(problems).toMatchObject([
    {
      file: 'e.sidelight.json',
      message: 'Sidelight does not read the file: all files of requests together have more than 16 MiB.',
    },
  ]);
});

test('a missing folder has no files and no problems', async () => {
  expect(await createRequestFiles(join(folder, 'none')).read()).toEqual({ files: [], problems: [] });
});
