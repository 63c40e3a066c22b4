// The command palette, the shortcut sheet and the menu of a row: one registry, three ways to it.
import type { Locator, Page } from '@playwright/test';
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { detail, go, messages, rows, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Command palette' });
const input = (page: Page): Locator =>
  palette(page).getByRole('combobox', { name: 'Search or run a command' });

test('the palette finds commands, topics, messages and views, and says why one cannot run', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1, note: 'findable' });
  await expect(rows(page, /Processed/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(input(page)).toBeFocused();
  await expect(palette(page)).not.toContainText(/\b(messages|deliveries|holds|mockApp|view)\.[a-z]/);
  await accessible();
  await input(page).fill('logs');
  await expect(palette(page).getByRole('option').first()).toContainText('Go to Logs');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await input(page).fill('#ord');
  await palette(page)
    .getByRole('option', { name: /orders/ })
    .click();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue('topic:orders');
  await page.keyboard.press('ControlOrMeta+k');
  await input(page).fill(':parked');
  await expect(palette(page)).toContainText('Nothing found.');
  // The button says why there is nothing to copy, and its keys do not copy a command that was marked before.
  const copy = palette(page).getByRole('button', { name: 'Copy as automation call' });
  await expect(copy).toHaveAccessibleDescription('Nothing was found, so there is no call to copy.');
  await page.keyboard.press('ControlOrMeta+Shift+c');
  await expect(toast(page, 'Nothing was found, so there is no call to copy.')).toBeVisible();
  await input(page).fill(':dead');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue('state:dead-lettered');
  await page.keyboard.press('ControlOrMeta+k');
  await input(page).fill('@findable');
  await palette(page)
    .getByRole('option', { name: /orders/ })
    .click();
  await expect(detail(page).getByText('"note": "findable"')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await input(page).fill('retry now');
  const off = palette(page).getByRole('option', { name: /^Retry now/ });
  await expect(off).toHaveAttribute('aria-disabled', 'true');
  await expect(off).toContainText('the app has processed it. To send it again, use Replay');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
});

test('the palette searches before it says that nothing was found, and opens nothing that was found before', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/messages');
  await product.publish('orders', { note: 'first' });
  await expect(rows(page, /Processed/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await input(page).fill('@first');
  await expect(palette(page).getByRole('option', { name: /orders/ })).toBeVisible();
  calls.stall.add('messages.list');
  await input(page).fill('@firstly');
  await expect(palette(page)).toContainText('Searching…');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
  calls.release();
  await expect(palette(page)).toContainText('Nothing found.');
});

test('the sheet lists the keys, which go to every screen, are silent while typing and can be switched off', async ({
  page,
  accessible,
}) => {
  await test.step('the shortcut sheet lists the keys and can be searched', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByRole('region', { name: 'Messages', exact: true })).toContainText('Retry now');
    await accessible();
    await sheet.getByRole('textbox', { name: 'Find a shortcut' }).fill('palette');
    await expect(sheet.getByText('No shortcut matches "palette".')).toBeVisible();
    await sheet.getByRole('textbox', { name: 'Find a shortcut' }).fill('replay');
    await expect(sheet.getByText('Edit and replay')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  });
  await page.getByRole('heading', { level: 1 }).click();
  for (const [key, screen] of [
    ['t', 'Topics'],
    ['p', 'Publish'],
    ['a', 'Mock app'],
    ['h', 'Holds'],
    ['e', 'Event router'],
    ['c', 'Components'],
    ['s', 'Health'],
    ['l', 'Logs'],
    ['m', 'Messages'],
    [',', 'Settings'],
  ] as const) {
    // sweep.spec.ts goes to all of them by their keys.
    if (!isLong && !['Topics', 'Messages', 'Settings'].includes(screen)) continue;
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
    // A screen that is about a list gives it the focus.
    const main = page.getByRole('main', { name: screen });
    await expect(main.or(main.locator('[data-main-list]')).and(page.locator(':focus'))).toBeVisible();
    await expect(page).toHaveTitle(`${screen} — Sidelight`);
  }
  await page.getByRole('searchbox', { name: 'Find a setting' }).pressSequentially('gm?p');
  await expect(page.getByRole('searchbox', { name: 'Find a setting' })).toHaveValue('gm?p');
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('');
  await page.getByRole('tab', { name: 'Keyboard' }).click();
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('the menu of a row filters, copies and opens the same dialogs', async ({
  page,
  product,
  context,
  accessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.publish('orders', { orderId: 1 });
  await product.publish('unheard', { orderId: 2 });
  await rows(page, /, orders, /).click({ button: 'right' });
  const menu = page.getByRole('menu').first();
  await expect(menu.getByRole('menuitem', { name: /^Retry now/ })).toHaveAttribute('aria-disabled', 'true');
  await accessible();
  await menu.getByRole('menuitem', { name: 'Filter by', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Topic orders' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');

  // A cell can become a filter.
  await rows(page, /, orders, /)
    .locator('[data-col="state"]')
    .click({ modifiers: ['Alt'] });
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(
    'topic:orders state:processed',
  );

  await rows(page, /, orders, /).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Publish again' }).click();
  await page.getByRole('menuitem', { name: 'curl (POSIX)' }).click();
  await expect(toast(page, 'Copied.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(product.at('/v1.0/publish/pubsub/orders'));
  expect(copied).toContain('{"orderId":1}');

  await rows(page, /, orders, /).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Make a mock answer for this…' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByText('Applies to topic:orders').click();
  await expect(editor.getByRole('combobox', { name: 'Topic' })).toHaveValue('orders');
});

test('acts are copied as a script that repeats them', async ({ page, product, accessible, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await go(page, 'Mock app');
  await page.getByRole('switch', { name: 'Mock app on' }).click();
  await expect(page.getByText('Mock app off: its port is closed')).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Notifications' }).click();
  await accessible();
  await page.getByRole('button', { name: 'Copy the last actions as a script' }).click();
  await expect(toast(page, 'Copied.')).toBeVisible();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  expect(script).toContain(`${product.ready.console}/rpc`);
  const [, call = ''] = /^call '(.*)'$/m.exec(script) ?? [];
  expect(JSON.parse(call)).toMatchObject({ method: 'mockApp.turn', params: { on: false } });
});
