// The console without its product: filters and acts while it is disconnected, and another run on the same port.
import { go, messages, rows, tryNow } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { openConsole } from './open-console.ts';
import { startProduct } from './product.ts';
import { reusablePort } from './reusable-port.ts';
import { notice, LOST, withConnectionSwitch } from './connection-switch.ts';

test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

test('a filter typed while the connection is lost applies once it is back', async ({ page, product }) => {
  const line = await withConnectionSwitch(page);
  await product.publish('orders', { orderId: 1 });
  await product.publish('refunds', { orderId: 2 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await line.cut();
  await expect(notice(page, LOST)).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill('topic:refunds');
  await field.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await line.restore();
  await tryNow(page);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(rows(page, /refunds/)).toBeVisible();
  expect(page.url()).toContain(encodeURIComponent('topic:refunds'));
});

test('buttons that act at once are disabled on every screen while the connection is lost', async ({
  page,
  product,
  accessible,
}) => {
  const line = await withConnectionSwitch(page);
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
  const onePort = ['--console-port', await reusablePort()];
  const first = await startProduct({ flags: onePort });
  await openConsole(page, first);
  // The first screen fetches its snippets when it is drawn: on a slow machine the server would be gone before they have come.
  await expect(page.getByRole('tablist', { name: 'Languages' })).toBeVisible();
  await first.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toBeVisible();
  // The editor is fetched ahead when the page is idle, with all that it needs: the page has a link for each file.
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => {
    const fetched = new Set(performance.getEntriesByType('resource').map(({ name }) => name));
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload], link[rel=stylesheet]');
    const wanted = [...links].map(({ href }) => href);
    return wanted.some((href) => /CodeMirror/.test(href)) && wanted.every((href) => fetched.has(href));
  });
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
