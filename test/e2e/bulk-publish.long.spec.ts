// Bulk publish: a full backlog refuses a part, digits stay, entries that are no events, the error answers.
import { expect, test } from './fixture.ts';
import { form, grid, entry, openBulk } from './bulk-page.ts';

test('failed entries are named, and only they are sent again', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'hang' });
  // One topic alone may fill nine tenths of the backlog: 100 messages.
  await product.rpc('settings.set', { key: 'delivery.backlog', value: 111 });
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Paste…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste entries' });
  const lines = Array.from({ length: 101 }, (_, index) => JSON.stringify({ orderId: index + 1 }));
  await dialog.getByRole('textbox', { name: 'Entries' }).fill(lines.join('\n'));
  await accessible();
  await dialog.getByRole('button', { name: 'Add entries' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '101');
  // Far fewer rows are drawn than there are.
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60);
  await form(page).getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
  const answer = form(page).getByRole('status').filter({ hasText: 'failed' });
  await expect(answer).toHaveText('500 · ERR_PUBSUB_PUBLISH_MESSAGE · 1 of 101 failed');
  await expect(entry(page, 1)).toContainText('✓ Published');
  await grid(page).hover();
  await page.mouse.wheel(0, 10_000);
  await expect(entry(page, 101)).toContainText('✗ the backlog limit of 111 unfinished deliveries');
  await accessible();

  await product.rpc('settings.set', { key: 'delivery.backlog', value: null });
  await form(page).getByRole('button', { name: 'Retry failed 1' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '1 of 1 published' })).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(101);
});

test('long numbers arrive as they were pasted', async ({ page, product }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Paste…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste entries' });
  await dialog.getByRole('textbox', { name: 'Entries' }).fill('[{"id": 12345678901234567890, "rate": 1.0}]');
  await dialog.getByRole('button', { name: 'Add entries' }).click();
  await form(page).getByRole('button', { name: 'Publish 1 entry' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '1 of 1 published' })).toBeVisible();
  const { items } = await product.rpc('messages.list', {});
  const { wire } = await product.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  expect(wire.body).toContain('{"id":12345678901234567890,"rate":1.0}');
});

test('a mistake in pasted entries stands beside their field, until it is fixed', async ({ page }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Paste…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste entries' });
  const entries = dialog.getByRole('textbox', { name: 'Entries' });
  const long = JSON.stringify({ text: 'x'.repeat(300_000) });
  for (const text of ['[{"orderId": 1},', `${long}\n{"orderId":`]) {
    await entries.fill(text);
    await dialog.getByRole('button', { name: 'Add entries' }).click();
    await expect(entries).toHaveAccessibleDescription(/^Line \d: not valid JSON\./);
    await expect(page.getByRole('region', { name: 'Notifications' })).toHaveText('');
    await entries.press('End');
    await entries.press('Space');
    await expect(entries).not.toHaveAccessibleDescription(/not valid JSON/);
  }
  await entries.fill('{"orderId": 1}');
  await dialog.getByRole('button', { name: 'Add entries' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1');
});

for (const height of [800, 400])
  test(`the button that publishes, and the answer, stay in sight under the editor of an event, ${height} px high`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: height === 400 ? 640 : 1280, height });
    await openBulk(page);
    await form(page).getByRole('button', { name: 'Generate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add 10 entries' }).click();
    await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).click();
    await expect(form(page).getByRole('textbox', { name: 'Event of row 1', exact: true })).toBeVisible();
    const publish = form(page).getByRole('button', { name: 'Publish 10 entries' });
    await expect(publish).toBeInViewport({ ratio: 1 });
    await publish.click();
    await expect(form(page).getByText('10 of 10 published')).toBeInViewport({ ratio: 1 });
    await expect(publish).toBeInViewport({ ratio: 1 });
  });

test('one entry that is not a CloudEvent stops the whole bulk publish', async ({ page, product }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).fill('{"orderId":');
  await expect(form(page).getByText('2 events are not valid JSON.')).toBeVisible();
  await entry(page, 2)
    .getByRole('textbox', { name: 'contentType of row 2' })
    .fill('application/cloudevents+json');
  await entry(page, 2).getByRole('textbox', { name: 'event of row 2' }).fill('"not an event"');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(entry(page, 2)).toContainText('✗');
  expect((await product.rpc('messages.list', {})).total).toBe(0);

  await entry(page, 2).getByRole('textbox', { name: 'contentType of row 2' }).fill('text/plain');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '2 of 2 published' })).toBeVisible();
});

test('error answers can be opened and read', async ({ page, accessible }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).fill('{}');
  await form(page).getByRole('button', { name: 'Test the error answers' }).click();
  await page.getByRole('menuitem', { name: 'Unknown pub/sub' }).click();
  await expect(
    form(page).getByRole('status').filter({ hasText: 'The pub/sub does not exist.' }),
  ).toBeVisible();
  await form(page).getByRole('button', { name: 'Raw answer' }).click();
  await expect(form(page).getByLabel('Raw answer')).toContainText('400');
  await expect(form(page).getByLabel('Raw answer')).toContainText('ERR_PUBSUB_NOT_FOUND');
  await accessible();
  await form(page).getByRole('button', { name: 'Test the error answers' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate an entryId' }).click();
  await expect(form(page).getByLabel('Raw answer')).toContainText('400');
});
