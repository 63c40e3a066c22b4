// What is typed while a save has no answer stays where it was typed.
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { detail, openMessage, rows, toast } from './console-page.ts';
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
