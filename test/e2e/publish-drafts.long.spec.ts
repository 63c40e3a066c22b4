// A draft with an unknown variable; the drafts of two windows of one browser.
import type { Locator, Page } from '@playwright/test';
import { go, retype } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });

test('an unknown variable is reported with its place', async ({ page }) => {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{\n "a": "{{usid}}"}');
  await form(page).getByText('Request preview').click();
  await expect(form(page).getByRole('alert')).toContainText('Line 2, column 8: {{usid}} is unknown');
});

test('two windows of one browser keep their own drafts over a reload, and a closed one leaves what was not sent', async ({
  page,
  context,
  open,
  product,
}) => {
  const topic = (of: Page): Locator => form(of).getByRole('combobox', { name: 'Topic' });
  const note = (of: Page): Locator =>
    of.getByRole('alert').filter({ hasText: 'Another window changed the drafts' });
  const kept = async (): Promise<string> => JSON.stringify((await product.rpc('drafts.get', {})).drafts);
  const another = async (): Promise<Page> => {
    const opened = await context.newPage();
    await open(opened);
    await go(opened, 'Publish');
    return opened;
  };
  const saves = async (text: string): Promise<void> => {
    await topic(page).fill(text);
    await expect.poll(kept).toContain(`"${text}"`);
  };
  await go(page, 'Publish');
  await saves('both');
  const other = await another();
  await expect(topic(other)).toHaveValue('both');
  await saves('theirs');
  await topic(other).fill('mine');
  await expect(note(other)).toBeVisible();
  await saves('theirs2');
  await other.reload();
  await expect(topic(other)).toHaveValue('mine');
  await expect(note(other)).toBeVisible();
  expect(await kept()).toContain('"theirs2"');

  await test.step('the next new window has them, and the one after it has none', async () => {
    const closed = other.waitForEvent('close');
    await other.close({ runBeforeUnload: true });
    await closed;
    const reopened = await another();
    await expect(topic(reopened)).toHaveValue('mine');
    await expect(note(reopened)).toBeVisible();
    const next = await another();
    await expect(topic(next)).toHaveValue('theirs2');
    await expect(note(next)).toHaveCount(0);
  });
});
