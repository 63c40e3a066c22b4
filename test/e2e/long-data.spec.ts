// Long data is checked and formatted in a worker, and nothing of it is lost.
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { form, loadFile } from './publish-page.ts';

const LONG = Array.from({ length: 12_000 }, (_, n) => ({ orderId: n, note: 'words that take room' }));

test('long data is checked in a worker: it is formatted, its mistake has a place, and it is sent unchanged', async ({
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
