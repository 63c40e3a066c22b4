// What is typed while a save has no answer stays where it was typed.
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { detail, openMessage, rows, toast, chooseTab } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('what is typed while a note is saved is kept', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await product.publish('refunds', { n: 2 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, /, 'Notes');
  const note = detail(page).getByRole('textbox', { name: 'Note' });
  await note.fill('first');
  calls.stall.add('messages.update');
  await detail(page).getByRole('button', { name: 'Save note' }).click();
  await note.fill('first and second');
  calls.release();
  await expect(toast(page, 'Note saved.')).toBeVisible();
  await expect(note).toHaveValue('first and second');
  await expect(detail(page).getByText('Changed, not saved yet.')).toBeVisible();
  await rows(page, /, refunds, /).click();
  await expect(note).toHaveValue('');
  await rows(page, /, orders, /).click();
  await expect(note).toHaveValue('first and second');
});

test('a note in the panel and the dialog of its message is one text, and the dialog discards only its own part', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await openMessage(page, /, orders, /, 'Notes');
  const note = detail(page).getByRole('textbox', { name: 'Note' });
  const unsaved = detail(page).getByText('Changed, not saved yet.');
  const dialog = page.getByRole('dialog', { name: /^Note/ });
  const field = dialog.getByRole('textbox', { name: 'Note' });
  const openDialog = async (): Promise<void> => {
    await rows(page, /, orders, /).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Add note' }).click();
  };
  await test.step('a dialog that is closed as it was opened', async () => {
    await note.fill('from the panel');
    await openDialog();
    await expect(field).toHaveValue('from the panel');
    await field.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(note).toHaveValue('from the panel');
    await chooseTab(detail(page), 'Data');
    await chooseTab(detail(page), 'Notes');
    await expect(note).toHaveValue('from the panel');
  });
  await test.step('a dialog that is closed after an edit', async () => {
    await openDialog();
    await field.fill('from the dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(note).toHaveValue('from the panel');
  });
  await test.step('a dialog that saves', async () => {
    await openDialog();
    await field.fill('from the dialog');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(note).toHaveValue('from the dialog');
    await expect(unsaved).toHaveCount(0);
  });
  await test.step('a note that another window saves later', async () => {
    await note.fill('from the panel');
    await detail(page).getByRole('button', { name: 'Save note' }).click();
    await expect(unsaved).toHaveCount(0);
    const { items } = await product.rpc('messages.list', { filter: 'topic:orders' });
    await product.rpc('messages.update', { messageId: items[0]?.messageId ?? '', note: 'from elsewhere' });
    // Opening it again asks the host.
    await product.publish('refunds', { n: 2 });
    await rows(page, /, refunds, /).click();
    await expect(note).toHaveValue('');
    await rows(page, /, orders, /).click();
    await expect(note).toHaveValue('from elsewhere');
    await expect(unsaved).toHaveCount(0);
  });
});

test('the form of an answer keeps what was typed when the only call that waits is answered elsewhere', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, .*Waiting for you/);
  await detail(page).getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  await other.getByRole('textbox', { name: 'Body' }).fill('typed');
  // The list of waiting calls comes after the report that none waits.
  calls.stall.add('mockApp.waiting');
  const { items } = await product.rpc('mockApp.waiting', {});
  const answer = { kind: 'respond', status: 200 } as const;
  await product.rpc('deliveries.answer', { deliveryId: items[0]?.deliveryId ?? '', answer });
  await expect(detail(page).getByRole('button', { name: 'Other…', includeHidden: true })).toHaveCount(0);
  calls.release();
  await expect(other.getByRole('status').getByText(/^The call is no longer waiting/)).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Body' })).toHaveValue('typed');
  await expect(other.getByRole('button', { name: 'Answer' })).toHaveAttribute('aria-disabled', 'true');
});

test('the form of an answer says what it leads to once a lost connection is back', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/mock');
  calls.stall.add('messages.get');
  await page.getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  await expect.poll(() => calls.wasStalled('messages.get')).toBe(true);
  calls.stall.clear();
  await calls.disconnect();
  await expect(other.getByText('Leads to')).toContainText('Processed');
});
