// Editing a long event: its text arrives in parts, undo never removes it, and the whole text is sent.
import { detail, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Beyond what the editor gets in one part. */
const LONG = Array.from({ length: 24_000 }, (_, n) => ({ orderId: n, note: 'words that take room' }));

test('undo restores a long event, nothing counts as changed before typing, and all of it is sent', async ({
  page,
  product,
}) => {
  await product.publish('orders', LONG);
  await openMessage(page, /orders, /);
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const dialog = page.getByRole('dialog');
  const edited = dialog.getByRole('textbox', { name: 'New event' });
  await expect(edited).toBeFocused();
  await edited.press('ControlOrMeta+End');
  await expect(edited).toContainText('"orderId": 23999,');
  await edited.press('ControlOrMeta+z');
  await expect(edited).toContainText('"orderId": 23999,');
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
