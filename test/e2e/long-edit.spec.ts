// Editing a long event: its text arrives in parts, undo never removes it, and the whole text is sent.
import type { Page } from '@playwright/test';
import { detail, openMessage, rows } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

const orders = (length: number): readonly object[] =>
  Array.from({ length }, (_, n) => ({ orderId: n, note: 'words that take room' }));
/** Beyond what is shown before a person asks for all of it. */
const LONG = orders(24_000);
const ENTRIES = isLong ? 24_000 : 12_000;
const LAST = `"orderId": ${ENTRIES - 1},`;
/** Beyond what the editor gets in one part. */
const PARTS = orders(ENTRIES);

test('undo restores a long event, nothing counts as changed before typing, and all of it is sent', async ({
  page,
  product,
}) => {
  await product.publish('orders', PARTS);
  await openMessage(page, /orders, /);
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const dialog = page.getByRole('dialog');
  const edited = dialog.getByRole('textbox', { name: 'New event' });
  await expect(edited).toBeFocused();
  await edited.press('ControlOrMeta+End');
  await expect(edited).toContainText(LAST);
  await edited.press('ControlOrMeta+z');
  await expect(edited).toContainText(LAST);
  await expect(dialog.getByRole('tab', { name: 'Changes 0' })).toBeVisible();
  await edited.press('ControlOrMeta+Home');
  await expect(edited).toContainText('"orderId": 0,');
  await page.keyboard.insertText(' ');
  await expect(dialog.getByRole('tab', { name: 'Changes 1' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(rows(page, /orders, /)).toHaveCount(2);
  const { items } = await product.rpc('messages.list', { order: 'newest' });
  const [sent, original] = items.map(({ sizeBytes }) => sizeBytes);
  // The editor adds line breaks and indents.
  expect(sent).toBeGreaterThan(original ?? Number.POSITIVE_INFINITY);
});

/** Longest text that the page gave to its socket or to a worker at once. */
async function watchSent(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const texts = (value: unknown): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [value];
    const longest = (value: unknown): number =>
      Math.max(0, ...texts(value).map((each) => (typeof each === 'string' ? each.length : 0)));
    let most = 0;
    for (const [made, name] of [
      [WebSocket, 'send'],
      [Worker, 'postMessage'],
    ] as const) {
      const own: (...given: unknown[]) => unknown = Reflect.get(made.prototype, name);
      Reflect.set(made.prototype, name, function sends(this: unknown, ...given: unknown[]) {
        most = Math.max(most, longest(given[0]));
        return own.apply(this, given);
      });
    }
    Object.assign(window, { longestSent: () => most });
  });
  await page.reload();
  return () => page.evaluate((): number => Reflect.get(window, 'longestSent')());
}

test('a long event goes to workers and to the host in parts, and its editors stay behind another tab', async ({
  page,
  product,
}) => {
  const longestSent = await watchSent(page);
  await product.publish('orders', LONG);
  await openMessage(page, /orders, /);
  const shown = detail(page).getByRole('textbox', { name: 'Message data' });
  await detail(page)
    .getByRole('button', { name: /^Show all/ })
    .click();
  // Until it is formatted, its first part is shown as it was sent.
  await expect(async () => {
    await shown.press('ControlOrMeta+End');
    await expect(shown).toContainText('"orderId": 23999,', { timeout: 1000 });
  }).toPass();
  await shown.evaluate((editor) => editor.setAttribute('data-mark', 'same'));
  await detail(page).getByRole('tab', { name: 'Timeline' }).click();
  await expect(shown).toBeHidden();
  await detail(page).getByRole('tab', { name: 'Data' }).click();
  await expect(shown).toContainText('"orderId": 23999,');
  await expect(shown).toHaveAttribute('data-mark', 'same');
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const dialog = page.getByRole('dialog');
  const edited = dialog.getByRole('textbox', { name: 'New event' });
  await edited.press('ControlOrMeta+End');
  await expect(edited).toContainText('"orderId": 23999,');
  await page.keyboard.insertText(' ');
  await dialog.getByRole('tab', { name: 'Changes 1' }).click();
  await expect(edited).toBeHidden();
  await dialog.getByRole('tab', { name: 'Edit', exact: true }).click();
  // The place, and what can be undone, are those of before.
  await expect(edited).toContainText('"orderId": 23999,');
  await edited.press('ControlOrMeta+z');
  await expect(dialog.getByRole('tab', { name: 'Changes 0' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(rows(page, /orders, /)).toHaveCount(2);
  // The event has 1.2 million characters, formatted 1.9 million.
  expect(await longestSent()).toBeLessThan(600_000);
  // The journey before this one edits an event of half the length.
  if (!isLong) return;
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  // Until its last part is there, nothing can be typed.
  await edited.press('ControlOrMeta+End');
  await expect(edited).toContainText('"orderId": 23999,');
  await page.keyboard.insertText(' ');
  await expect(dialog.getByRole('tab', { name: 'Changes 1' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(rows(page, /orders, /)).toHaveCount(3);
  expect(await longestSent()).toBeLessThan(600_000);
});

test('a payload whose second part is refused is asked for once with each request for it', async ({
  page,
  product,
}) => {
  let refused = 0;
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => {
      const { id, method, params } = JSON.parse(String(message));
      if (method !== 'messages.payload' || params.from === 0) {
        host.send(message);
        return;
      }
      refused += 1;
      const error = { code: -32603, message: 'The disk is gone.', data: { code: 'INTERNAL' } };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
  });
  await page.reload();
  await product.publish('orders', PARTS);
  await openMessage(page, /orders, /);
  await expect(detail(page).getByText(/The disk is gone/)).toBeVisible();
  const dialog = page.getByRole('dialog');
  for (let turn = 1; turn <= 3; turn += 1) {
    await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
    await expect(dialog.getByText(/The disk is gone/)).toBeVisible();
    expect(refused).toBe(1 + turn);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});
