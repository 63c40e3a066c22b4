// A recording beside this session: what is the same, what changed, what is in one of them only; by keys alone.
import type { Page } from '@playwright/test';
import { openFresh } from './call-interceptor.ts';
import { detail, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

test.use({ looksAlways: true });

/** Exports the history and opens it as a recording. */
async function recordNow(product: Product, name: string): Promise<string> {
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  return (await product.rpc('recordings.import', { name, text })).recordingId;
}

const part = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });
const lines = (page: Page) => part(page).getByRole('grid', { name: 'Compared messages' });

test('a recording and this session are compared line by line, with links to both', async ({
  page,
  product,
  accessible,
}) => {
  for (const orderId of [1, 2]) await product.publish('orders', { orderId, total: 20 });
  await expect(rows(page, /Processed/)).toHaveCount(2);
  await recordNow(product, 'monday.sidelight.jsonl');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Compare recordings');
  await page.keyboard.press('Enter');
  await expect(part(page).getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(part(page).getByRole('status')).toHaveText('No differences: 2 messages are the same in both.');
  await accessible();

  // One message differs from the recording, one is new here.
  await product.rpc('messages.delete', { filter: 'data.orderId:2' });
  await product.rpc('mockApp.usePreset', { preset: 'S8' });
  await product.publish('orders', { orderId: 2, total: 30 });
  await product.publish('refunds', { orderId: 3 });
  await product.when('the order was tried', async () => {
    const { items } = await product.rpc('messages.list', { filter: 'data.total:30' });
    return (items[0]?.deliveries[0]?.attempts ?? 0) > 0 ? true : undefined;
  });
  await part(page).getByRole('button', { name: 'Compare again' }).press('Enter');
  await expect(part(page).getByRole('status')).toHaveText(
    '1 changed, 0 only in monday.sidelight.jsonl, 1 only in this session, 1 the same',
  );
  const changed = lines(page).getByRole('row', { name: /^orders of .*: Changed$/ });
  await expect(changed).toContainText('data {"orderId":2,"total":20} → became {"orderId":2,"total":30}');
  await expect(changed).toContainText('app, answers 200');
  await expect(lines(page).getByRole('row', { name: /^refunds of .*: Only in this session$/ })).toBeVisible();
  await accessible();

  // Enter shows what differs, the digits 1 and 2 open either side, and the browser's Back returns.
  await lines(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(dialog.getByText('"total": 30')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(lines(page)).toBeFocused();
  await page.keyboard.press('2');
  await expect(page.getByText('Recording: monday.sidelight.jsonl')).toBeVisible();
  await expect(detail(page).getByText('20', { exact: true })).toBeVisible();
  await page.goBack();
  await lines(page).focus();
  await page.keyboard.press('3');
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await expect(detail(page).getByText('30', { exact: true })).toBeVisible();
  await page.goBack();
  await part(page).getByRole('button', { name: 'Same 1' }).press('Enter');
  await expect(lines(page).getByRole('row')).toHaveCount(1);
  await expect(lines(page).getByRole('row', { name: /: Same$/ })).toBeVisible();

  // A filter narrows both lists. An invalid filter says so.
  const filter = part(page).getByRole('textbox', { name: 'Filter of both' });
  await filter.fill('topic:refunds');
  await filter.press('Enter');
  await expect(part(page).getByRole('status')).toHaveText(
    '0 changed, 0 only in monday.sidelight.jsonl, 1 only in this session, 0 the same',
  );
  await filter.fill('topic:(');
  await filter.press('Enter');
  await expect(filter).toHaveAccessibleDescription(/^Expected/);
  // A new address is in the field too: leaving it would apply the text from before again.
  await page.evaluate(() => {
    location.hash = location.hash.replace(/cf=[^&]*/, 'cf=topic%3Arefunds');
  });
  await expect(filter).toHaveValue('topic:refunds');
  await filter.press('Tab');
  await expect(part(page).getByRole('status')).toContainText('1 only in this session, 0 the same');
});

test('an open recording leads to its comparison', async ({ page, product }) => {
  await product.publish('orders', { orderId: 1 });
  await recordNow(product, 'sunday.sidelight.jsonl');
  const recordingId = await recordNow(product, 'monday.sidelight.jsonl');
  await openFresh(page, `/recordings?r=${recordingId}`);
  await page.getByRole('button', { name: 'Compare…', exact: true }).click();
  await expect(part(page).getByRole('combobox', { name: 'Compare' })).toHaveText(/monday/);
  await expect(part(page).getByRole('status')).toContainText('No differences');
});
