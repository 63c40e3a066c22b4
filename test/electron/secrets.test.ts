// Secrets: kept sealed where the system has a key store, and not at all where it has none.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSecretStore, type SecretStore } from '../../electron/secrets.ts';
import { forget, world } from './stand-in.ts';

let folder = '';
let file = '';
let told: string[];
const store = (platform: NodeJS.Platform = 'linux'): SecretStore =>
  createSecretStore({ file, platform, report: (text) => told.push(text) });

beforeEach(() => {
  forget();
  told = [];
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-secrets-'));
  file = path.join(folder, 'deep', 'secrets.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('secrets with a key store', () => {
  test('a secret is there after a restart, and its text is not in the file', async () => {
    expect(await store().set('accessKey', 'open sesame')).toBeUndefined();
    expect(await store().get('accessKey')).toBe('open sesame');
    expect(fs.readFileSync(file, 'utf8')).not.toContain('sesame');
  });

  test.skipIf(process.platform === 'win32')('only its owner may read the file', async () => {
    await store().set('accessKey', 'open sesame');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a secret that was never stored is undefined', async () =>
    expect(await store().get('other')).toBeUndefined());

  test('two secrets stored at the same time are both there', async () => {
    const one = store();
    await Promise.all([one.set('a', '1'), one.set('b', '2')]);
    expect([await one.get('a'), await one.get('b')]).toEqual(['1', '2']);
  });

  test('a forgotten secret is removed', async () => {
    await store().set('a', '1');
    await store().set('a', undefined);
    expect(await store().get('a')).toBeUndefined();
    expect(fs.readFileSync(file, 'utf8')).toBe('{}');
  });

  test('a secret that cannot be decrypted is logged without its value', async () => {
    await store().set('a', '1');
    fs.writeFileSync(file, JSON.stringify({ a: Buffer.from('another key').toString('base64') }));
    expect(await store().get('a')).toBeUndefined();
    expect(told).toEqual(['the secret a cannot be read: the key has changed']);
  });

  test('a foreign file is not overwritten', async () => {
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, '7');
    await expect(store().set('a', '1')).rejects.toThrow('is not a file of secrets');
    expect(fs.readFileSync(file, 'utf8')).toBe('7');
  });

  test('a failure does not block later calls', async () => {
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, '7');
    const one = store();
    await expect(one.get('a')).rejects.toThrow();
    fs.rmSync(file);
    expect(await one.get('a')).toBeUndefined();
  });
});

describe('without a real key store nothing is written, and the result has the reason', () => {
  test.each(['basic_text', 'unknown'] as const)('with the backend %s', async (backend) => {
    world.keyStore = { available: true, backend };
    expect(await store().set('a', '1')).toBe(`the desktop offers no key store (${backend})`);
    expect(fs.existsSync(file)).toBe(false);
  });

  test('with no store at all', async () => {
    world.keyStore = { available: false, backend: 'gnome_libsecret' };
    expect(await store('darwin').set('a', '1')).toBe('the system offers no key store');
    expect(fs.existsSync(file)).toBe(false);
  });

  test('an earlier secret is not read, and can still be removed', async () => {
    await store().set('a', '1');
    world.keyStore = { available: true, backend: 'basic_text' };
    expect(await store().get('a')).toBeUndefined();
    expect(told).toEqual(['the secret a cannot be read: the desktop offers no key store (basic_text)']);
    expect(await store().set('a', undefined)).toBeUndefined();
    expect(fs.readFileSync(file, 'utf8')).toBe('{}');
  });

  test('Windows and macOS have one: the backend is a matter of Linux only', async () => {
    world.keyStore = { available: true, backend: 'unknown' };
    expect(await store('win32').set('a', '1')).toBeUndefined();
  });
});
