/** Files changed by another program are named; files saved here are not. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles } from '../../core/adapters/component-files/read-folder.ts';
import { componentFolder, componentText } from '../support/component-folder.ts';

test('a file that another program wrote, added or removed is reported as changed', async () => {
  const { source } = await componentFolder({
    'a.yaml': componentText('one'),
    'b.yaml': componentText('two'),
  });
  const folder = source.folder ?? '';
  await source.load();
  expect(source.changedOnDisk).toBeUndefined();
  await writeFile(join(folder, 'a.yaml'), componentText('other'));
  await writeFile(join(folder, 'c d.yml'), componentText('three'));
  await source.load();
  expect(source.changedOnDisk).toMatchObject({ files: ['a.yaml', 'c d.yml'] });
  await rm(join(folder, 'b.yaml'));
  await source.load();
  expect(source.changedOnDisk).toMatchObject({ files: ['b.yaml'] });
  const { changedOnDisk } = source;
  await source.load();
  expect(source.changedOnDisk).toBe(changedOnDisk);
});

test('a file saved here is not reported as changed, a later change of it is', async () => {
  const { source } = await componentFolder({ 'a.yaml': componentText('one') });
  await source.load();
  expect(await source.save('a.yaml', componentText('longer-name'))).toEqual([]);
  await source.load();
  expect(source.changedOnDisk).toBeUndefined();
  await writeFile(join(source.folder ?? '', 'a.yaml'), componentText('third'));
  await source.load();
  expect(source.changedOnDisk).toMatchObject({ files: ['a.yaml'] });
});

test('a folder that cannot be read names no files', () => {
  expect(changedFiles('a.yaml 1 2 3', 'Sidelight cannot read the folder: gone.yaml was there')).toEqual([
    'a.yaml',
  ]);
  expect(changedFiles('a.yaml 1 2 3', 'a.yaml 1 2 3')).toEqual([]);
});
