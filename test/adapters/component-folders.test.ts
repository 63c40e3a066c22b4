// Several folders of component files: all are read, in their order, and each file is edited where it is.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { componentFolder, componentText } from '../support/component-folder.ts';

async function further(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'more-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  return folder;
}

test('files of both load; two of one name keep apart', async () => {
  const more = await further({ 'a.yaml': componentText('second'), 'b.yaml': componentText('third') });
  const { source } = await componentFolder({ 'a.yaml': componentText('first') }, { furtherFolders: [more] });
  const { components } = await source.load();
  expect(components.map(({ name, file }) => [name, file])).toEqual([
    ['first', 'a.yaml'],
    ['second', `${basename(more)}.a.yaml`],
    ['third', 'b.yaml'],
  ]);
  expect(await source.read(`${basename(more)}.a.yaml`)).toBe(componentText('second'));
  expect(await source.read('a.yaml')).toBe(componentText('first'));
});

test('a file is saved where it is, a new one in the first folder', async () => {
  const more = await further({ 'b.yaml': componentText('third') });
  const { source, folder } = await componentFolder({}, { furtherFolders: [more] });
  await source.load();
  await source.save('b.yaml', componentText('changed'));
  await source.save('new.yaml', componentText('fresh'));
  expect(await readFile(join(more, 'b.yaml'), 'utf8')).toBe(componentText('changed'));
  expect(await readdir(folder)).toEqual(['new.yaml']);
  expect((await source.load()).components.map(({ name }) => name)).toEqual(['fresh', 'changed']);
  expect(source.changedOnDisk).toBeUndefined();
});

test('a change in a further folder is found, with the name that the file goes by', async () => {
  const more = await further({ 'b.yaml': componentText('third') });
  const { source } = await componentFolder({}, { furtherFolders: [more] });
  await source.load();
  await writeFile(join(more, 'c.yaml'), componentText('another'));
  let changed = (): void => undefined;
  const told = new Promise<void>((resolve) => (changed = resolve));
  onTestFinished(source.watch(() => changed()));
  await told;
  await source.load();
  expect(source.changedOnDisk?.files).toEqual(['c.yaml']);
});

test('a folder that cannot be read is a problem, and the others load', async () => {
  const gone = join(await further({}), 'gone');
  const { source } = await componentFolder({ 'a.yaml': componentText('first') }, { furtherFolders: [gone] });
  const { components, problems } = await source.load();
  expect(components).toHaveLength(1);
  expect(problems).toMatchObject([{ file: gone, severity: 'error' }]);
});
