/** Settings of components that come from a secret store. */
import { describe, expect, test } from 'vitest';

import { componentFolder, componentText } from '../support/component-folder.ts';

describe('secrets', () => {
  const withSecret = (name: string, key?: string, store = 'vault'): string =>
    `${componentText('one', 'pubsub.in-memory', `  metadata:\n  - name: password\n    secretKeyRef:\n      name: ${name}\n${key === undefined ? '' : `      key: ${key}\n`}`)}auth:\n  secretStore: ${store}\n`;
  const fileStore = (file: string, name = 'vault'): string =>
    componentText(
      name,
      'secretstores.local.file',
      `  metadata:\n  - name: secretsFile\n    value: ${file}\n`,
    );

  test('come from a file whose store is in a later file, and are never shown', async () => {
    const { source } = await componentFolder({
      'a.yaml': withSecret('redis:password'),
      'z.yaml': fileStore('secrets.json'),
      'secrets.json': '{"redis":{"password":"pw"}}',
    });
    const { components } = await source.load();
    expect(components.map(({ name }) => name)).toEqual(['vault', 'one']);
    expect(components[1]).toMatchObject({
      metadata: { password: 'pw' },
      shown: { password: '***' },
      problems: [],
    });
    expect(JSON.stringify([components[1]?.shown, components[1]?.problems, components[0]])).not.toContain(
      'pw',
    );
  });

  test('are parameters of an address, which are recognised by their names', async () => {
    const url = 'https://me:pw@hooks.example/x?token=abc&id=7&sig=d%2Fe';
    const { component } = await componentFolder({
      'a.yaml': componentText('hook', 'bindings.http', `  metadata:\n  - name: url\n    value: "${url}"\n`),
    });
    expect(await component('hook')).toMatchObject({
      metadata: { url },
      shown: { url: 'https://***@hooks.example/x?token=***&id=7&sig=***' },
    });
  });

  test('are in a file whose name is shown and named in a refusal', async () => {
    const { source } = await componentFolder({ 'v.yaml': fileStore('gone.json') });
    const [vault] = (await source.load()).components;
    expect(vault?.shown).toEqual({ secretsFile: 'gone.json' });
    expect(vault?.failed).toMatch(/gone\.json/);
  });

  test('come from the environment', async () => {
    const { component } = await componentFolder(
      { 'a.yaml': withSecret('DB_PASSWORD'), 'b.yaml': componentText('vault', 'secretstores.local.env') },
      { env: { DB_PASSWORD: 'pw' } },
    );
    expect((await component('one'))?.metadata).toEqual({ password: 'pw' });
  });

  test('can be a setting of a store that reads them from another store', async () => {
    const { component } = await componentFolder(
      {
        'a.yaml': `${componentText('vault', 'secretstores.local.file', '  metadata:\n  - name: secretsFile\n    secretKeyRef: {name: FILE}\n')}auth: {secretStore: env}\n`,
        'b.yaml': componentText('env', 'secretstores.local.env'),
        'c.yaml': withSecret('x'),
        's.json': '{"x":"1"}',
      },
      { env: { FILE: 's.json' } },
    );
    expect((await component('one'))?.metadata).toEqual({ password: '1' });
  });

  test.each<
    [string, Record<string, string>, { failed: RegExp; line: number; field: string; message: RegExp }]
  >([
    [
      'no such secret: empty, told, usable',
      { 'v.yaml': fileStore('s.json'), 's.json': '{}', 'a.yaml': withSecret('x') },
      {
        failed: /^usable$/,
        line: 11,
        field: 'spec.metadata[0].secretKeyRef',
        message: /vault has no secret x; the setting stays empty/,
      },
    ],
    [
      'no such key',
      { 'v.yaml': fileStore('s.json'), 's.json': '{"x":"1"}', 'a.yaml': withSecret('x', 'y') },
      {
        failed: /^usable$/,
        line: 11,
        field: 'spec.metadata[0].secretKeyRef',
        message: /no secret x with the key y/,
      },
    ],
    [
      'no such store',
      { 'a.yaml': withSecret('x') },
      {
        failed: /There is no secret store vault/,
        line: 13,
        field: 'auth.secretStore',
        message: /no secret store vault/,
      },
    ],
    [
      'no store named',
      { 'a.yaml': withSecret('x').replace(/auth:[^]*/, '') },
      {
        failed: /needs auth.secretStore/,
        line: 11,
        field: 'spec.metadata[0].secretKeyRef',
        message: /needs auth.secretStore/,
      },
    ],
    [
      'a component that is no store',
      { 'v.yaml': componentText('vault'), 'a.yaml': withSecret('x') },
      { failed: /no secret store vault/, line: 13, field: 'auth.secretStore', message: /no secret store/ },
    ],
  ])('a component with a bad secret fails: %s', async (_name, files, { failed, line, field, message }) => {
    const { component } = await componentFolder(files);
    const one = await component('one');
    expect(one?.failed ?? 'usable').toMatch(failed);
    expect(one?.metadata).toEqual({ password: '' });
    const [problem] = one?.problems ?? [];
    expect(problem).toMatchObject({ file: 'a.yaml', document: 1, line, field, severity: 'error' });
    expect(problem?.message).toMatch(message);
  });

  test('a component waits for the secrets file of its store, which is no mistake of its own file', async () => {
    const files = { 'v.yaml': fileStore('nope.json'), 'a.yaml': withSecret('x') };
    const { component } = await componentFolder(files);
    const one = await component('one');
    expect(one).toMatchObject({ awaitsSecrets: true, problems: [], metadata: { password: '' } });
    expect(one?.failed).toMatch(/^The secret store vault failed: the secrets file was not found/);
    const come = await componentFolder({ ...files, 'nope.json': '{"x":"1"}' });
    const ready = await come.component('one');
    expect(ready).toMatchObject({ metadata: { password: '1' } });
    expect(ready).not.toHaveProperty('awaitsSecrets');
  });

  test('a remark about the file of the store changes nothing of that', async () => {
    const { component } = await componentFolder({
      'v.yaml': fileStore('nope.json').replace('spec:', 'extra: 1\nspec:'),
      'a.yaml': withSecret('x'),
    });
    expect((await component('vault'))?.problems).toMatchObject([{ field: 'extra', severity: 'warning' }]);
    expect(await component('one')).toMatchObject({ awaitsSecrets: true, problems: [] });
  });

  test('a component with a mistake of its own is not valid, also while it waits for secrets', async () => {
    const { component } = await componentFolder({
      'v.yaml': fileStore('nope.json'),
      'a.yaml': withSecret('x').replace('auth:', '  - name: host\n    value: "{podName}"\nauth:'),
    });
    const one = await component('one');
    expect(one?.failed).toMatch(/podName.*; The secret store vault failed/);
    expect(one?.problems).toMatchObject([{ severity: 'error', field: 'spec.metadata[1].value' }]);
    expect(one).not.toHaveProperty('awaitsSecrets');
  });

  test('a store that does not open is failed itself', async () => {
    const { component } = await componentFolder({ 'v.yaml': fileStore('nope.json') });
    expect((await component('vault'))?.failed).toContain('the secrets file was not found');
  });

  test.each(['redisPassword', 'clientKey', 'accessKey', 'apiToken'])(
    'a plain %s in a file is used and never shown',
    async (name) => {
      const settings = `  metadata:\n  - name: ${name}\n    value: s3cret\n`;
      const { component } = await componentFolder({
        'a.yaml': componentText('one', 'pubsub.in-memory', settings),
      });
      const one = await component('one');
      expect(one?.metadata).toEqual({ [name]: 's3cret' });
      expect(one?.shown).toEqual({ [name]: '***' });
    },
  );
});
