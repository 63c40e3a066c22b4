/** A folder that may be entered but not listed: its file is found by name. */
import type * as Fs from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readRunFile } from '../../../core/host/multi-run/find-file.ts';
import { folderWith } from './plan-of.ts';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof Fs>();
  return { ...fs, readdirSync: vi.fn<typeof fs.readdirSync>(fs.readdirSync) };
});

function refuseLists(code: string): void {
  vi.mocked(readdirSync).mockImplementation((folder) => {
    throw Object.assign(new Error(`${code}: permission denied, scandir '${String(folder)}'`), { code });
  });
}

test('the file is read although its folder cannot be listed', () => {
  const folder = folderWith({ 'dapr.yaml': 'version: 1' });
  refuseLists('EACCES');
  expect(readRunFile(folder)).toMatchObject({ file: join(folder, 'dapr.yaml'), text: 'version: 1' });
});

test.each([
  ['EACCES', {}],
  ['EIO', { 'dapr.yaml': 'version: 1' }],
])('a folder whose list fails with %s is refused with the reason', (code, files) => {
  const folder = folderWith({ 'other.txt': '', ...files });
  refuseLists(code);
  expect(() => readRunFile(folder)).toThrow(code === 'EACCES' ? /permission/i : /EIO/);
});
