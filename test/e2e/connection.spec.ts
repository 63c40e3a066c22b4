// The console without its product, and with it again; a browser whose key is no longer good.
import type { Locator, Page } from '@playwright/test';
import { detail, go, messages, openMessage, rows, tryNow } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { openConsole } from './opening.ts';
import { startProduct } from './product.ts';
import { steadyPort } from './steady-port.ts';

const notice = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });
const LOST = 'Connection to Sidelight lost. Reconnecting…';

/** Puts a switch into the line between page and product: while it is cut, open sockets are closed and new ones find nothing. */
async function throughSwitch(page: Page): Promise<{ cut: () => Promise<void>; join: () => Promise<void> }> {
  await page.addInitScript(() => {
    const sockets = new Set<WebSocket>();
    let isCut = false;
    window.WebSocket = class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(isCut ? `${address}-cut` : address, protocols);
        sockets.add(this);
      }
    };
    const cutLine = (cut: boolean): void => {
      isCut = cut;
      if (cut) for (const socket of sockets) socket.close();
    };
    Object.assign(window, { cutLine });
  });
  await page.reload();
  const cutLine = (cut: boolean): Promise<void> =>
    page.evaluate((on) => void Reflect.get(window, 'cutLine')(on), cut);
  return { cut: () => cutLine(true), join: () => cutLine(false) };
}

test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

test('the line is cut and joined: nothing is lost, nothing is sent twice', async ({
  page,
  product,
  accessible,
}) => {
  const line = await throughSwitch(page);
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Processed/);
  await line.cut();
  await expect(notice(page, LOST)).toBeVisible();
  await expect(rows(page, /Processed/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sidecar not known now/ })).toBeVisible();
  for (const button of [
    page.getByRole('button', { name: 'Hold all' }),
    detail(page).getByRole('button', { name: 'Replay', exact: true }),
  ]) {
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveAccessibleDescription('There is no connection to Sidelight.');
  }
  await accessible();

  for (let orderId = 2; orderId <= 4; orderId += 1) await product.publish('orders', { orderId });
  await line.join();
  await tryNow(page);
  await expect(notice(page, LOST)).toHaveCount(0);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await expect(rows(page, /Processed/)).toHaveCount(4);
  await detail(page).getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
  expect((await product.rpc('messages.list', {})).total).toBe(5);
});

test('a filter that was typed while the line was cut counts once it is joined', async ({ page, product }) => {
  const line = await throughSwitch(page);
  await product.publish('orders', { orderId: 1 });
  await product.publish('refunds', { orderId: 2 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await line.cut();
  await expect(notice(page, LOST)).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill('topic:refunds');
  await field.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await line.join();
  await tryNow(page);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(rows(page, /refunds/)).toBeVisible();
  expect(page.url()).toContain(encodeURIComponent('topic:refunds'));
});

test('what acts at once is off on every screen while the line is cut', async ({
  page,
  product,
  accessible,
}) => {
  const line = await throughSwitch(page);
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:never', name: 'rarely' });
  const answer = { kind: 'respond', status: 200 } as const;
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'look', enabled: false, match: { topic: 'never' }, answer }],
  });
  const hold = page.getByRole('switch', { name: /rarely/ });
  await go(page, 'Holds');
  await expect(hold).toBeVisible();
  await go(page, 'Mock app');
  const rule = page.getByRole('switch', { name: /look/ });
  await expect(rule).not.toHaveAttribute('aria-disabled');
  const preset = page.getByRole('combobox', { name: 'Preset' });
  await preset.press('Enter');
  await expect(page.getByRole('option').first()).toBeVisible();
  await line.cut();
  await expect(notice(page, LOST)).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(0);
  for (const control of [preset, rule]) await expect(control).toHaveAttribute('aria-disabled', 'true');
  await expect(preset).toHaveAccessibleDescription('There is no connection to Sidelight.');
  await preset.press('Enter');
  await preset.press('ArrowDown');
  await expect(page.getByRole('option')).toHaveCount(0);
  await accessible();
  await go(page, 'Holds');
  await expect(hold).toHaveAttribute('aria-disabled', 'true');
});

test('another run on the same port asks for a new link', async ({ page, accessible }) => {
  const onePort = ['--console-port', await steadyPort()];
  const first = await startProduct({ flags: onePort });
  await openConsole(page, first);
  // The first screen fetches its snippets when it is drawn: on a slow machine the server would be gone before they have come.
  await expect(page.getByRole('tablist', { name: 'Languages' })).toBeVisible();
  await first.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toBeVisible();
  // The editor is fetched ahead when the page is idle.
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() =>
    ['.js', '.css'].every((end) =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => /CodeMirror/.test(name) && name.endsWith(end)),
    ),
  );
  await first.kill();
  await expect(notice(page, LOST)).toBeVisible();

  const second = await startProduct({ flags: onePort });
  try {
    // The page asks again by itself, at most six seconds after the last time.
    await expect(notice(page, 'This browser has no key to this Sidelight.')).toBeVisible({ timeout: 20_000 });
    await accessible();
    await openConsole(page, second);
    await expect(page.getByText('Nothing has been published yet')).toBeVisible();
  } finally {
    expect(await second.stop()).toBe(0);
  }
});
