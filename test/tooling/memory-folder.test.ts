// The folder in memory is used only where it is there, has room, and can run programs.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { memoryFolder } from '../../scripts/test/memory-folder.ts';
import { scratchFolder } from './scratch.ts';

const folder = scratchFolder();

test.skipIf(process.platform !== 'linux')('a folder with room is used, and nothing is left in it', () => {
  expect(memoryFolder(folder, 1)).toBe(folder);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a folder that is not there, or has too little room, is not used', () => {
  expect(memoryFolder(path.join(folder, 'none'), 1)).toBeUndefined();
  expect(memoryFolder(folder, Number.MAX_SAFE_INTEGER)).toBeUndefined();
});
