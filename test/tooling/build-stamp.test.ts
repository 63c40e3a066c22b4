// Changes that make a part of the product build again.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentHash, orphanedOutputs, readStamps, writeStamp } from '../../scripts/build-stamp.ts';
import { scratchFolder, writeFiles } from './scratch.ts';

const root = scratchFolder();

describe('content hash', () => {
  const place = path.join(root, 'hash');
  writeFiles(place, { 'core/a.ts': 'a', 'core/deep/b.ts': 'b', 'single.json': '{}' });
  const inputs = ['core', 'single.json', 'not-there'];
  const before = contentHash(place, inputs);

  test('stays when files are written again with the same content', () => {
    writeFiles(place, { 'core/a.ts': 'a' });
    expect(contentHash(place, inputs)).toBe(before);
  });

  test.each([
    ['a changed file', { 'core/deep/b.ts': 'B' }],
    ['a new file', { 'core/deep/c.ts': '' }],
    ['a changed single file', { 'single.json': '[]' }],
    ['an input that appears', { 'not-there': 'now' }],
  ])('changes with %s', (_, files) => {
    const earlier = contentHash(place, inputs);
    writeFiles(place, files);
    expect(contentHash(place, inputs)).not.toBe(earlier);
  });

  test('changes with a new name', () => {
    const earlier = contentHash(place, inputs);
    fs.renameSync(path.join(place, 'core/a.ts'), path.join(place, 'core/z.ts'));
    expect(contentHash(place, inputs)).not.toBe(earlier);
  });
});

describe('stamps', () => {
  test('are stored for each part', () => {
    const file = path.join(root, 'build', 'stamps.json');
    expect(readStamps(file).size).toBe(0);
    writeStamp(file, 'program', 'one');
    writeStamp(file, 'console', 'two');
    writeStamp(file, 'program', 'three');
    expect(Object.fromEntries(readStamps(file))).toEqual({ program: 'three', console: 'two' });
  });

  test.each(['', '{', 'null', '[1]', '{"program":1}'])('are none in the unreadable file %j', (text) => {
    writeFiles(root, { 'broken.json': text });
    expect(readStamps(path.join(root, 'broken.json')).size).toBe(0);
  });
});

test('outputs whose source was removed are found, all others stay', () => {
  writeFiles(path.join(root, 'tree'), {
    'core/a.ts': '',
    'electron/preload/preload.cts': '',
    'dist/core/a.js': '',
    'dist/core/a.d.ts': '',
    'dist/core/a.js.map': '',
    'dist/core/old.js': '',
    'dist/core/old.d.ts': '',
    'dist/core/old.js.map': '',
    'dist/electron/preload/preload.cjs': '',
    'dist/electron/preload/preload.d.cts': '',
    'dist/electron/preload/old.cjs.map': '',
    'dist/renderer/index.js': '',
  });
  expect(orphanedOutputs(path.join(root, 'tree'), 'dist', ['core', 'electron'])).toEqual([
    'dist/core/old.d.ts',
    'dist/core/old.js',
    'dist/core/old.js.map',
    'dist/electron/preload/old.cjs.map',
  ]);
});
