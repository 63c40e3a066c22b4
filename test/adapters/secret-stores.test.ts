/** The two local secret stores. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { envSecrets } from '../../core/adapters/secret-stores/env.ts';
import { openOnFirstUse } from '../../core/adapters/secret-stores/lazy.ts';
import { readLocalFileSecrets } from '../../core/adapters/secret-stores/local-file.ts';
import { errorText } from '../../core/contract/error-text.ts';
import { PROFILES } from '../../core/contract/profile.ts';

describe('secretstores.local.env', () => {
  const env = {
    DB_PASSWORD: 'pw',
    'A B': 'x',
    EMPTY: '',
    SIDECAR_API_TOKEN: 'no',
    DAPR_API_TOKEN: 'other',
    APP_API_TOKEN: 'no',
  };
  const secrets = envSecrets({ env, profile: PROFILES.sidecar });

  test.each([
    ['DB_PASSWORD', 'pw'],
    ['db_password', undefined],
    ['EMPTY', ''],
    ['NOT_SET', undefined],
    ['SIDECAR_API_TOKEN', undefined],
    ['sidecar_api_token', undefined],
    ['APP_API_TOKEN', undefined],
    ['DAPR_API_TOKEN', 'other'],
    ['A B', undefined],
  ])('the secret %s is %j', async (name, value) => {
    expect(await secrets.get(name)).toBe(value);
    expect(await secrets.get(name, name)).toBe(value);
    expect(await secrets.get(name, 'another')).toBeUndefined();
  });

  test('a prefix stands before every name, and cannot lead to a forbidden one', async () => {
    expect(await envSecrets({ env, prefix: 'DB_', profile: PROFILES.sidecar }).get('PASSWORD')).toBe('pw');
    expect(
      await envSecrets({ env, prefix: 'SIDECAR_', profile: PROFILES.sidecar }).get('API_TOKEN'),
    ).toBeUndefined();
    expect(
      await envSecrets({ env, prefix: 'DAPR_', profile: PROFILES.dapr }).get('API_TOKEN'),
    ).toBeUndefined();
  });
});

describe('secretstores.local.file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    const secrets = { plain: 'p', number: 5, redis: { password: 'pw', deep: { er: 'd' } }, list: ['a', 'b'] };
    await writeFile(join(folder, 'secrets.json'), `\uFEFF${JSON.stringify(secrets)}`);
    await writeFile(join(folder, 'broken.json'), '{"password": "very secret"');
    await writeFile(join(folder, 'array.json'), '[]');
    const name = 'n'.repeat(100_000);
    const values = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [n, 1]));
    await writeFile(join(folder, 'names.json'), JSON.stringify({ [name]: values }));
    await writeFile(join(folder, 'deep.json'), `${'{"":'.repeat(2000)}1${'}'.repeat(2000)}`);
    await writeFile(join(folder, 'large.json'), `{"a":"${'x'.repeat(16 * 1024 * 1024)}"}`);
  });
  afterAll(async () => rm(folder, { recursive: true }));

  test.each([
    ['plain', undefined, 'p'],
    ['plain', 'plain', 'p'],
    ['plain', 'x', undefined],
    ['number', undefined, '5'],
    ['redis:password', undefined, 'pw'],
    ['redis:password', 'redis:password', 'pw'],
    ['redis:deep:er', undefined, 'd'],
    ['redis', 'password', undefined],
    ['list:1', undefined, 'b'],
    ['nothing', undefined, undefined],
  ])('the secret %s / %s is %j', async (name, key, value) => {
    const secrets = await readLocalFileSecrets({
      secretsFile: 'secrets.json',
      folders: ['/nowhere', folder],
    });
    expect(await secrets.get(name, key)).toBe(value);
  });

  test.each([
    ['redis', 'password', 'pw'],
    ['redis', 'deep/er', 'd'],
    ['redis', undefined, undefined],
    ['plain', undefined, 'p'],
    ['redis/password', undefined, undefined],
  ])('multiValued with separator "/": %s / %s is %j', async (name, key, value) => {
    const secretsFile = join(folder, 'secrets.json');
    const options = { secretsFile, folders: [], nestedSeparator: '/', multiValued: true };
    expect(await (await readLocalFileSecrets(options)).get(name, key)).toBe(value);
  });

  test.each([
    ['', /secretsFile is missing/],
    ['nope.json', /not found.*nope\.json/],
    ['broken.json', /broken\.json must hold one JSON object/],
    ['array.json', /must hold one JSON object/],
    ['names.json', /the names in the secrets file, each with those around it, are longer than 16 Mi char/],
    ['deep.json', /deep\.json is nested deeper than 1000 levels/],
    ['large.json', /large\.json has more than 16 MiB/],
  ])('file "%s" is refused without any of its text', async (secretsFile, message) => {
    const reading = readLocalFileSecrets({ secretsFile, folders: [folder] });
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.not.toThrow(/very secret/);
  });
});

test('a store with several values for each name counts the names of all of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const inner = { ['n'.repeat(100_000)]: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n, 1])) };
  await writeFile(join(folder, 's.json'), JSON.stringify({ a: inner, b: inner }));
  const options = { secretsFile: join(folder, 's.json'), folders: [], multiValued: true };
  await expect(readLocalFileSecrets(options)).rejects.toThrow(/longer than 16 Mi characters/);
  await writeFile(join(folder, 's.json'), JSON.stringify({ a: inner }));
  expect(await (await readLocalFileSecrets(options)).get('a', `${'n'.repeat(100_000)}:7`)).toBe('1');
});

const TOO_MANY = 'the secrets file has more than 100000 values, lists and objects';

test.each([
  ['values', 100_001, '1', TOO_MANY],
  ['empty objects', 100_001, '{}', TOO_MANY],
  ['objects with one value', 50_001, '{"a":1}', TOO_MANY],
  ['values', 100_000, '1', 'read'],
  ['objects with one value', 50_000, '{"a":1}', 'read'],
])('a secrets file of %s, %i of them', async (_what, count, value, outcome) => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const members = Array.from({ length: count }, (_, n) => `"s${n}":${value}`);
  await writeFile(join(folder, 's.json'), `{${members.join(',')}}`);
  const read = (multiValued: boolean): Promise<string> =>
    readLocalFileSecrets({ secretsFile: 's.json', folders: [folder], multiValued }).then(
      () => 'read',
      (error: unknown) => errorText(error),
    );
  expect([await read(true), await read(false)]).toEqual([outcome, outcome]);
});

test('a secrets file with far more values is refused before it is parsed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 's.json'), `{"a":[${'1,'.repeat(600_000)}`);
  const reading = readLocalFileSecrets({ secretsFile: 's.json', folders: [folder] });
  await expect(reading).rejects.toThrow(TOO_MANY);
});

test('a store that is opened on first use is opened once', async () => {
  let opened = 0;
  const secrets = openOnFirstUse(async () => {
    opened++;
    return { get: async (name) => name };
  });
  expect(opened).toBe(0);
  expect(await Promise.all([secrets.get('a'), secrets.get('b')])).toEqual(['a', 'b']);
  expect(opened).toBe(1);
});
