// The page's own scheme: what it serves, under which policy, and that no path leads out of its folder.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentPolicy, PAGE, pageAnswer, registerPageScheme } from '../../electron/page.ts';
import { askedFor, forget } from './stand-in.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-abc'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let top = '';
let folder = '';
beforeAll(() => {
  top = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-page-'));
  folder = path.join(top, 'renderer');
  fs.mkdirSync(path.join(folder, 'assets'), { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'index.html'),
    '<meta name="csp-nonce" content="__NONCE__" /><p>__NONCE__</p>',
  );
  fs.writeFileSync(path.join(folder, 'assets', 'index-B1_x.js'), 'export {};');
  fs.writeFileSync(path.join(folder, 'assets', 'table.map'), '{}');
  fs.writeFileSync(path.join(top, 'secret.json'), '{"kept":"outside"}');
});
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));
beforeEach(forget);

const get = (url: string, method = 'GET'): Promise<Response> => pageAnswer({ url, method }, folder);

test('the scheme has an origin and may fetch, and bypasses no policy', () => {
  registerPageScheme();
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  expect(askedFor('protocol.registerSchemesAsPrivileged')).toEqual([[{ scheme: 'app', privileges }]]);
});

describe('the scheme of the page serves', () => {
  test.each([
    [PAGE, 'text/html; charset=utf-8'],
    ['app://sidelight/', 'text/html; charset=utf-8'],
    ['app://sidelight/assets/index-B1_x.js', 'text/javascript; charset=utf-8'],
    ['app://sidelight/assets/index-B1_x.js?v=1#there', 'text/javascript; charset=utf-8'],
  ])('%s with the type %s', async (url, type) => {
    const answer = await get(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await answer.text()).length).toBeGreaterThan(0);
  });

  test('only the headers for HEAD', async () => {
    const answer = await get(PAGE, 'HEAD');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});

describe('the policy of the page', () => {
  test('has exactly these directives', () => expect(contentPolicy('abc')).toBe(POLICY));

  test('has the nonce of the page, which the page has everywhere', async () => {
    const answer = await get(PAGE);
    const html = await answer.text();
    const nonces = [...html.matchAll(/content="([^"]+)"|<p>([^<]+)</g)].map(([, a, b]) => a ?? b);
    const policy = answer.headers.get('content-security-policy');
    expect(nonces).toHaveLength(2);
    for (const nonce of nonces) expect(policy).toBe(contentPolicy(nonce ?? ''));
    expect(html).not.toContain('__NONCE__');
  });

  test('has another nonce each time, of at least 128 bits', async () => {
    const nonceOf = async (): Promise<string> =>
      /'nonce-([^']+)'/.exec((await get(PAGE)).headers.get('content-security-policy') ?? '')?.[1] ?? '';
    const nonces = new Set([await nonceOf(), await nonceOf(), await nonceOf()]);
    expect(nonces.size).toBe(3);
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16);
  });
});

describe('an address without a file', () => {
  test.each([
    'app://sidelight/../secret.json',
    'app://sidelight/..%2fsecret.json',
    'app://sidelight/..%5csecret.json',
    'app://sidelight/..\\secret.json',
    'app://sidelight/%2e%2e/secret.json',
    'app://sidelight/%2e%2e%2fsecret.json',
    'app://sidelight/assets/..%2f..%2fsecret.json',
    'app://sidelight/assets/....//secret.json',
    'app://sidelight//etc/hosts.json',
    'app://sidelight/C:/Windows/win.json',
    'app://sidelight/C%3A%5CWindows%5Cwin.json',
    'app://sidelight/index.html%00.js',
    'app://sidelight/index.html::$DATA',
    'app://sidelight/.hidden.json',
    'app://sidelight/assets',
    'app://sidelight/assets/',
    'app://sidelight/assets/table.map',
    'app://sidelight/nothing.js',
    'app://sidelight/index.html/x.js',
    'app://elsewhere/index.html',
    'app://sidelight:1/index.html',
    'app:///index.html',
    'https://sidelight/index.html',
    'file:///etc/hosts.json',
    'not an address',
  ])('%s is answered with 404', async (url) => {
    const answer = await get(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('');
  });

  test('of these cases exists above the folder', () => {
    expect(fs.existsSync(path.join(folder, '..', 'secret.json'))).toBe(true);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
  expect((await get(PAGE, method)).status).toBe(405);
});
