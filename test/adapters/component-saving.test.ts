/** Reading, saving and watching component files. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { componentFolder, componentText } from '../support/component-folder.ts';
import type { ComponentFolder } from '../support/component-folder.ts';

const GOOD = componentText('good');
const posix = process.platform !== 'win32';

/** Names that lead somewhere else, or are no files of the folder. */
const TRICKS = [
  '../outside.yaml',
  '..\\outside.yaml',
  '/etc/passwd',
  'sub/x.yaml',
  'C:\\x.yaml',
  'c:x.yaml',
  '.hidden.yaml',
  '..yaml',
  'a.yaml\u0000.txt',
  'a.txt',
  'a.yaml/',
  '',
  '.yaml',
  'con.yaml',
  `${'x'.repeat(300)}.yaml`,
  'a\nb.yaml',
];

describe('read and save', () => {
  test('a saved file is read and loaded', async () => {
    const { source, folder, component } = await componentFolder({});
    expect(await source.save('new.yaml', GOOD)).toEqual([]);
    expect(await source.read('new.yaml')).toBe(GOOD);
    expect((await component('good'))?.file).toBe('new.yaml');
    expect(await readdir(folder)).toEqual(['new.yaml']);
  });

  test('a text with an error is not written; one with a warning is', async () => {
    const { source, folder } = await componentFolder({ 'a.yaml': GOOD });
    expect(await source.save('a.yaml', componentText('good', 'pubsub.kafka'))).toMatchObject([
      { severity: 'error', line: 6 },
    ]);
    expect(await source.read('a.yaml')).toBe(GOOD);
    const warned = `${GOOD}scope: [a]\n`;
    expect(await source.save('a.yaml', warned)).toMatchObject([{ severity: 'warning', line: 8 }]);
    expect(await source.read('a.yaml')).toBe(warned);
    expect(await readdir(folder)).toEqual(['a.yaml']);
  });

  test.each(TRICKS)('%j is refused, nothing is read or written', async (file) => {
    const parent = await mkdtemp(join(tmpdir(), 'components-parent-'));
    onTestFinished(async () => rm(parent, { recursive: true }));
    const folder = join(parent, 'components');
    await mkdir(folder);
    const { source } = await componentFolder({}, { folder });
    await expect(source.read(file)).rejects.toMatchObject({ code: 'INVALID_PARAMS', field: 'file' });
    await expect(source.save(file, GOOD)).rejects.toMatchObject({ code: 'INVALID_PARAMS', field: 'file' });
    await expect(source.validate(file, GOOD)).rejects.toThrow(
      /file must be the name of a \.yaml or \.yml file/,
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(parent)).toEqual(['components']);
  });

  test.runIf(posix)('a link that leads out is neither read nor written; one inside is', async () => {
    const { source, folder } = await componentFolder({ 'a.yaml': GOOD });
    const outside = `${folder}-outside.yaml`;
    await writeFile(outside, GOOD);
    onTestFinished(async () => rm(outside, { force: true }));
    await symlink(outside, join(folder, 'out.yaml'));
    await symlink(join(folder, 'a.yaml'), join(folder, 'in.yaml'));
    await expect(source.read('out.yaml')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(source.save('out.yaml', componentText('other'))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    expect(await source.read('in.yaml')).toBe(GOOD);
    expect(await readFile(outside, 'utf8')).toBe(GOOD);
  });

  test('a missing file is refused', async () => {
    const { source } = await componentFolder({});
    await expect(source.read('a.yaml')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a file that is too large is refused', async () => {
    const { source, write } = await componentFolder({});
    await write('large.yaml', 'x'.repeat(1024 * 1024 + 1));
    await expect(source.read('large.yaml')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('in a missing folder no file is read or written', async () => {
    const { source, folder } = await componentFolder({});
    await rm(folder, { recursive: true });
    await expect(source.read('a.yaml')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(source.save('a.yaml', GOOD)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.runIf(posix)('a pipe or a folder with the name of a file is refused without waiting', async () => {
    const { source, folder } = await componentFolder({});
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.yaml')]);
    await mkdir(join(folder, 'folder.yaml'));
    for (const file of ['pipe.yaml', 'folder.yaml'])
      await expect(source.read(file)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `${file} in the folder is not a file.`,
      });
    const { problems } = await source.load();
    expect(problems).toMatchObject([
      { file: 'pipe.yaml', message: 'This is not a file. Sidelight does not read it.', severity: 'error' },
    ]);
  });

  test.runIf(posix)('saving keeps the permissions of a file', async () => {
    const { source, folder } = await componentFolder({});
    await writeFile(join(folder, 'a.yaml'), GOOD, { mode: 0o600 });
    await source.save('a.yaml', componentText('better'));
    expect((await stat(join(folder, 'a.yaml'))).mode & 0o777).toBe(0o600);
  });

  test('a name that is a folder cannot be written, and nothing is left behind', async () => {
    const { source, folder } = await componentFolder({});
    await mkdir(join(folder, 'a.yaml'));
    await expect(source.save('a.yaml', GOOD)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('cannot write'),
    });
    expect(await readdir(folder)).toEqual(['a.yaml']);
  });
});

/** Counts the calls, and waits for the next one. */
function watching({ source }: ComponentFolder): { readonly calls: () => number; next(): Promise<void> } {
  let calls = 0;
  let waiting: (() => void)[] = [];
  const end = source.watch(() => {
    calls++;
    void source.load().then(() => {
      for (const done of waiting.splice(0)) done();
    });
  });
  onTestFinished(end);
  return {
    calls: () => calls,
    next: async () => new Promise<void>((resolve) => void (waiting = [...waiting, resolve])),
  };
}

async function passing(ms: number): Promise<void> {
  await sleep(ms);
}

describe('watch', () => {
  test('a written, added or removed file is reported once', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    const watch = watching(folder);
    for (const act of [
      async () => folder.write('a.yaml', componentText('changed')),
      async () => folder.write('b.yaml', componentText('added')),
      async () => rm(join(folder.folder, 'b.yaml')),
    ]) {
      const told = watch.next();
      await act();
      await told;
    }
    expect(watch.calls()).toBe(3);
    expect((await folder.source.load()).components.map(({ name }) => name)).toEqual(['changed']);
  });

  test('many writes in a row are reported a few times', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    const watch = watching(folder);
    const told = watch.next();
    for (let n = 0; n < 20; n++) {
      await folder.write('a.yaml', `${componentText('half')}# ${'x'.repeat(n)}`);
      await passing(20);
    }
    await folder.write('a.yaml', componentText('whole'));
    await told;
    expect(watch.calls()).toBeLessThan(5);
    expect((await folder.source.load()).components.map(({ name }) => name)).toEqual(['whole']);
  });

  test('changes of files that are not read are not reported', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    const watch = watching(folder);
    await folder.write('notes.txt', 'x');
    await folder.write('.#a.yaml', 'x');
    const told = watch.next();
    await passing(500);
    expect(watch.calls()).toBe(0);
    await folder.write('b.yaml', componentText('b'));
    await told;
    expect(watch.calls()).toBe(1);
  });

  test('a change between the loading and the watching is not missed', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    await folder.write('a.yaml', componentText('between'));
    const watch = watching(folder);
    await watch.next();
    expect((await folder.source.load()).components.map(({ name }) => name)).toEqual(['between']);
  });

  test('a folder that is removed and created again is reported', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    const watch = watching(folder);
    const gone = watch.next();
    await rename(folder.folder, `${folder.folder}-old`);
    onTestFinished(async () => rm(`${folder.folder}-old`, { recursive: true, force: true }));
    await gone;
    const back = watch.next();
    await mkdir(folder.folder);
    await folder.write('b.yaml', componentText('back'));
    await back;
    const again = watch.next();
    await folder.write('b.yaml', componentText('again'));
    await again;
    expect((await folder.source.load()).components.map(({ name }) => name)).toEqual(['again']);
  });

  test('the file with the secrets is followed too, wherever a store may find it', async () => {
    const other = await componentFolder({});
    const secrets = join(other.folder, 'secrets.json');
    const folder = await componentFolder({
      'store.yaml': `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: store }
spec: { type: secretstores.local.file, version: v1, metadata: [{ name: secretsFile, value: ${secrets} }] }
`,
    });
    const store = async (): Promise<string | undefined> => (await folder.component('store'))?.failed;
    expect(await store()).toBe(`the secrets file was not found: ${secrets}`);
    const watch = watching(folder);
    const told = watch.next();
    await other.write('secrets.json', '{"a":"b"}');
    await told;
    expect(await store()).toBeUndefined();
    const gone = watch.next();
    await rm(secrets);
    await gone;
    expect(await store()).toMatch(/^the secrets file was not found/);
  });

  test('no change is reported after the watch has ended', async () => {
    const folder = await componentFolder({ 'a.yaml': GOOD });
    await folder.source.load();
    let calls = 0;
    const end = folder.source.watch(() => calls++);
    end();
    await folder.write('a.yaml', componentText('later'));
    await passing(500);
    expect(calls).toBe(0);
  });
});
