// Pages of another origin: another web server on this host, and the name of another site that points here. Neither gets the console's key.
import { createHmac } from 'node:crypto';
import type { LaunchOptions, Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { PAGE_PROTOCOL, proofProtocol } from '../../core/contract/page-auth.ts';
import { go, tryNow } from './console-page.ts';
import { startHostileServer } from './hostile-server.ts';
import { expect, test } from './fixture.ts';

const decided = process.env['SIDELIGHT_BROWSER'];
const found: LaunchOptions = decided === undefined ? {} : JSON.parse(decided);
const rules = '--host-resolver-rules=MAP evil.example 127.0.0.1';
test.use({ launchOptions: { ...found, args: [...(found.args ?? []), rules] } });

declare function tryAll(origin: string): Promise<Readonly<Record<string, string>>>;
declare function tryMore(origin: string, act: string): Promise<Readonly<Record<string, string>>>;

const CALL = '{"jsonrpc":"2.0","id":1,"method":"messages.list","params":{}}';
const NO_KEY = 'This browser has no key to this Sidelight.';
const inside = (page: Page) => page.getByRole('contentinfo', { name: 'Runtime status' });
const noKey = (page: Page) => page.getByRole('status').filter({ hasText: NO_KEY });

/** Results that a page of another origin may get. */
const NOTHING = {
  cookie: '',
  opener: 'null',
  stored: '{}[]',
  rpc: 'refused: TypeError',
  challenge: 'refused: TypeError',
  enter: 'refused: TypeError',
  stream: 'closed 4403',
  page: 'closed 4403',
  frame: 'no document',
  script: 'refused',
  blind: 'refused: TypeError',
  heard: '',
};

function closeCode(origin: string, headers: Record<string, string>, protocols: string[]): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/stream`, protocols, { headers });
    socket.on('open', () => socket.send(CALL));
    socket.on('message', () => socket.close(1000));
    socket.on('close', resolve);
  });
}

/** Tries a value that another server was sent at every way into the console. */
async function opensNothing(origin: string, cookie: string): Promise<void> {
  const value = cookie.slice(cookie.indexOf('=') + 1);
  const { host } = new URL(origin);
  const post = (where: string, headers: Record<string, string>, body = CALL): Promise<Response> =>
    fetch(`${origin}${where}`, { method: 'POST', headers, body });
  for (const headers of [
    { Cookie: cookie },
    { Cookie: cookie, Origin: origin },
    { Authorization: `Bearer ${value}` },
  ]) {
    expect((await post('/rpc', headers)).status).toBe(401);
    expect(await closeCode(origin, headers, [])).toBe(4401);
    expect(await closeCode(origin, headers, [PAGE_PROTOCOL])).toBe(4401);
  }
  expect((await post('/enter', { Cookie: cookie }, JSON.stringify({ code: value }))).status).toBe(401);
  for (const key of [value, Buffer.from(value, 'base64url')]) {
    const { challenge } = (await (await post('/challenge', {}, '')).json()) as { challenge: string };
    for (const secret of [key, createHmac('sha256', key).update(`page ${host}`).digest()]) {
      const proof = createHmac('sha256', secret).update(challenge).digest('base64url');
      const protocols = [PAGE_PROTOCOL, proofProtocol(challenge, proof)];
      expect(await closeCode(origin, { Cookie: cookie, Origin: origin }, protocols)).toBe(4401);
    }
  }
}

test.describe('another server on this host', () => {
  test.use({ expectedErrors: [/./] });

  test('gets nothing that opens the console, by any way a browser has', async ({
    page,
    product,
    context,
  }) => {
    const hostile = await startHostileServer();
    const origin = product.ready.console;
    try {
      expect(page.url()).not.toContain('enter');
      for (const host of ['127.0.0.1', 'localhost']) {
        const other = await context.newPage();
        await other.goto(`http://${host}:${hostile.port}/`);
        expect(await other.evaluate((at) => tryAll(at), origin)).toEqual(NOTHING);
        // A page that the console opens, and one that opens the console, know nothing of each other.
        const [opened] = await Promise.all([
          context.waitForEvent('page'),
          other.evaluate((at) => void window.open(at), origin),
        ]);
        // Under another name of this machine the browser sends no cookie of the console.
        const seen =
          host === '127.0.0.1'
            ? inside(opened)
            : opened.getByRole('heading', { name: 'The console needs a link' });
        await expect(seen).toBeVisible();
        expect(await opened.evaluate(() => String(window.opener))).toBe('null');
        const [visited] = await Promise.all([
          context.waitForEvent('page'),
          page.evaluate((at) => void window.open(at), `http://${host}:${hostile.port}/from-console`),
        ]);
        await visited.waitForLoadState();
        expect(await visited.evaluate(() => String(window.opener))).toBe('null');
        expect(await visited.evaluate(() => document.referrer)).toBe('');
      }
      // The browser sends cookies to every port of a host, so they must be worth nothing there.
      expect(hostile.cookies().some((cookie) => cookie.startsWith('sidelight-'))).toBe(true);
      for (const cookie of new Set(hostile.cookies())) await opensNothing(origin, cookie);
      const token = product.ready.token;
      expect(hostile.got()).not.toContain(token);
      expect(hostile.got().toLowerCase()).not.toContain('authorization');
      // No referer names the console; pages of the other server name only themselves.
      expect(hostile.got()).not.toContain(`referer":"${origin}`);
    } finally {
      await hostile.close();
    }
  });
});

test.describe('a page of another origin', () => {
  test.use({ expectedErrors: [/./] });

  test('cannot act by forms, beacons, workers, cookies or any address of the console', async ({
    page,
    product,
    context,
  }) => {
    const hostile = await startHostileServer();
    const origin = product.ready.console;
    const { port } = new URL(origin);
    const act = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'holds.add' },
      params: { at: 'publish', filter: 'topic:evil' },
    });
    try {
      const other = await context.newPage();
      await other.goto(`http://127.0.0.1:${hostile.port}/`);
      expect(await other.evaluate(([at, call]) => tryMore(at, call), [origin, act] as const)).toEqual({
        ...{ form: 'undefined', enter: 'undefined', agent: 'undefined', beacon: 'true' },
        ...{ image: 'refused', source: 'refused', worker: 'true' },
        ...{ shared: 'refused: SecurityError', module: 'refused: TypeError' },
      });
      expect(await product.rpc('holds.list', {})).toEqual({ items: [], nextCursor: null });
      // A browser that is in stays in, whatever address another page opens and whatever it sends to the console.
      for (const hash of ['#enter=x', '#/nowhere?f=%00', `#${'x'.repeat(60_000)}`]) {
        const [opened] = await Promise.all([
          context.waitForEvent('page'),
          other.evaluate((at) => {
            const made = window.open(at);
            made?.postMessage('enter', '*');
          }, `${origin}/${hash}`),
        ]);
        await expect(inside(opened)).toContainText('kept');
        expect(opened.url()).not.toContain('enter=');
        await opened.close();
      }
      // The link's code stands in no entry of the tab's history.
      await page.goto((await product.rpc('system.link', {})).url);
      await expect(inside(page)).toContainText('kept');
      await page.goto(`http://127.0.0.1:${hostile.port}/after`);
      expect(hostile.got()).not.toMatch(/enter=|\/open\?key=/);
      await page.goBack();
      await expect(inside(page)).toContainText('kept');
      expect(page.url()).toBe(`${origin}/`);
      expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
      // A cookie of the console's name, for another path of this host, locks nobody out.
      hostile.setsCookie(`sidelight-${port}=junk; Path=/assets`);
      hostile.setsCookie(`sidelight-${port}=junk; Path=/index.html`);
      await other.goto(`http://127.0.0.1:${hostile.port}/toss`);
      await page.goto(`${origin}/index.html`);
      await expect(inside(page)).toContainText('kept');
    } finally {
      await hostile.close();
    }
  });
});

test.describe('a name of another site that points here', () => {
  test.use({ expectedErrors: [/./] });

  test('is refused whatever it requests', async ({ page, product, context }) => {
    const { port } = new URL(product.ready.console);
    const origin = `http://evil.example:${port}`;
    const other = await context.newPage();
    const link = new URL((await product.rpc('system.link', {})).url);
    for (const where of ['/', '/index.html', link.pathname + link.search]) {
      const answer = await other.goto(origin + where);
      expect(answer?.status()).toBe(403);
    }
    const statuses = await other.evaluate(async (call) => {
      const post = async (where: string, body: string): Promise<number> =>
        (await fetch(where, { method: 'POST', body })).status;
      return [await post('/rpc', call), await post('/enter', '{"code":"x"}'), await post('/challenge', '')];
    }, CALL);
    expect(statuses).toEqual([403, 403, 403]);
    const code = await other.evaluate(
      (at) => new Promise<number>((resolve) => (new WebSocket(at).onclose = (event) => resolve(event.code))),
      `ws://evil.example:${port}/stream`,
    );
    expect(code).toBe(4403);
    expect(await context.cookies(origin)).toEqual([]);
    // The link still works: a refused request does not use it up.
    await page.goto(link.href);
    await expect(inside(page)).toContainText('kept');
  });
});

test.describe('the key of the page', () => {
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

  test('survives a reload and a second tab, and no script can read it', async ({
    page,
    context,
    product,
  }) => {
    const origin = product.ready.console;
    const link = (await product.rpc('system.link', {})).url;
    await page.goto(link);
    await expect(inside(page)).toContainText('kept');
    expect(page.url()).toBe(`${origin}/`);
    await page.reload();
    await expect(inside(page)).toContainText('kept');
    const second = await context.newPage();
    await second.goto(origin);
    await expect(inside(second)).toContainText('kept');
    const kept = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('sidelight');
          opening.addEventListener('success', () => {
            const asked = opening.result.transaction('keys').objectStore('keys').get('page');
            asked.addEventListener('success', () => {
              crypto.subtle.exportKey('raw', asked.result).then(
                () => resolve('exported'),
                (error: Error) => resolve(error.name),
              );
            });
          });
        }),
    );
    expect(kept).toBe('InvalidAccessError');
    expect(
      await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])),
    ).not.toMatch(/[\w-]{43}/);
    // The link was used: it opens the console only for a browser that is in already.
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
    await second.goto(link);
    await expect(inside(second)).toContainText('kept');
  });

  test('is revoked in Settings: every page says so, and a new link signs all of them in', async ({
    page,
    context,
    product,
    accessible,
  }) => {
    const second = await context.newPage();
    await second.goto(product.ready.console);
    await expect(inside(second)).toContainText('kept');
    const unused = (await product.rpc('system.link', {})).url;
    await go(page, 'Settings');
    await page.getByRole('tab', { name: 'About' }).click();
    await page.getByRole('button', { name: 'Revoke the keys of all browsers' }).click();
    await accessible();
    await page.getByRole('button', { name: 'Revoke keys' }).click();
    for (const each of [page, second]) await expect(noKey(each)).toBeVisible();
    await accessible();
    expect((await page.goto(unused))?.status()).toBe(401);
    await expect(page.getByText('This link is no longer valid').first()).toBeVisible();
    await expect(page.getByText('start it again: it prints a new link.')).toBeVisible();
    // The token of the ready line stays good.
    await page.goto((await product.rpc('system.link', {})).url);
    await expect(inside(page)).toContainText('kept');
    await tryNow(second);
    // The status line shows the last figures also without a connection.
    await expect(second.getByRole('button', { name: 'Hold all' })).toBeEnabled();
    expect(await product.rpc('system.revoke', {})).toEqual({ pages: 2 });
    for (const each of [page, second]) await expect(noKey(each)).toBeVisible();
  });
});
