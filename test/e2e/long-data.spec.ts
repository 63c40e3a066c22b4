// Long data is read, checked and formatted in a worker, and nothing of it is lost.
import { detail, go, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { form, loadFile } from './publish-page.ts';

const LONG = Array.from({ length: 12_000 }, (_, n) => ({ orderId: n, note: 'words that take room' }));

test('long data is checked and formatted in a worker, its mistake has a place, and it is sent unchanged', async ({
  page,
  product,
}) => {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await loadFile(page, 'orders.json', JSON.stringify(LONG));
  await expect(form(page).getByText('Valid JSON')).toBeVisible();
  await form(page).getByRole('button', { name: 'Format' }).click();
  await expect(form(page).getByRole('textbox', { name: 'Message data' })).toContainText('"orderId": 0,');
  await loadFile(page, 'broken.json', `${JSON.stringify(LONG)}x`);
  // The file is asked for while it is still being read, so the answer waits.
  await form(page).getByRole('button', { name: 'Publish' }).click();
  await expect(
    form(page)
      .getByText(/^Line 1, column \d+: /)
      .first(),
  ).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);
  await form(page).getByRole('button', { name: 'Publish anyway' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: 'Message delivered.' })).toBeVisible();
});

test('a long message is read in parts and formatted in a worker, and every digit of it is there and is sent again', async ({
  page,
  product,
}) => {
  const digits = '12345678901234567890.10';
  const data = `{"n":${digits},"list":${JSON.stringify(LONG)}}`;
  await product.rpc('messages.publish', {
    pubsubname: 'pubsub',
    topic: 'orders',
    data,
    contentType: 'application/json',
  });
  let isSentWhole = false;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const text = String(payload);
      isSentWhole ||= /orderId\\*":0,/.test(text) && /orderId\\*":11999,/.test(text);
    });
  });
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await page.reload();
  await openMessage(page, /orders, /);
  const shown = detail(page).getByRole('textbox', { name: 'Message data' });
  await expect(shown).toContainText(`"n": ${digits},`);
  await shown.press('ControlOrMeta+End');
  await expect(shown).toContainText('"orderId": 11999,');
  expect(isSentWhole).toBe(false);
  expect(workers.filter((url) => url.includes('/text-'))).toHaveLength(1);
  // Route asks the host, which has the event.
  await detail(page).getByRole('tab', { name: 'Route' }).click();
  await expect(
    detail(page).getByText('No rule matched').or(detail(page).getByText('/orders')).first(),
  ).toBeVisible();
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const edited = page.getByRole('dialog').getByRole('textbox', { name: 'New event' });
  await expect(edited).toContainText(`"n": ${digits},`);
  await edited.press('ControlOrMeta+Home');
  await page.keyboard.insertText(' ');
  await page.getByRole('dialog').getByRole('tab', { name: 'Changes 1' }).click();
  await expect(page.getByRole('dialog')).toContainText(/… 48,\d+ equal lines/);
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(rows(page, /orders, /)).toHaveCount(2);
  const { items } = await product.rpc('messages.list', { order: 'newest', limit: 1 });
  const { text } = await product.rpc('messages.payload', { messageId: items[0]?.messageId ?? '' });
  expect(text).toContain(`"n": ${digits},`);
});

test('a mistake in a text that still comes into the editor is marked in its line', async ({ page }) => {
  // The facts about the text are there before all of its parts.
  await page.addInitScript(() => {
    const soon = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => Number(setTimeout(() => soon(run), 100));
    window.cancelAnimationFrame = (timer) => clearTimeout(timer);
  });
  await page.reload();
  await go(page, 'Publish');
  await loadFile(page, 'broken.json', `${JSON.stringify(LONG, null, 2)}\nx`);
  const editor = form(page).getByRole('textbox', { name: 'Message data' });
  await expect(
    form(page)
      .getByText(/^Line 48003, column 1: /)
      .first(),
  ).toBeVisible();
  await expect(async () => {
    await editor.press('ControlOrMeta+End');
    await expect(editor).toContainText('x');
    await expect(form(page).locator('.cm-lint-marker-error')).toBeVisible({ timeout: 1000 });
  }).toPass();
});
