// A recording that is replayed in part, and a test made from a row of the list.
import fs from 'node:fs/promises';
import { readScenario } from '../../core/scenario/read-file.ts';
import { detail, messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('replay of a recording runs in the host: long numbers stay exact, and failures are listed', async ({
  page,
  product,
}) => {
  const long = '{"orderId":12345678901234567890}';
  await product.sidecar('/v1.0/publish/pubsub/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: long,
  });
  await product.publish('orders', { orderId: 2 });
  await product.publish('refunds', { orderId: 3 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  const spoilt = text
    .split('\n')
    .map((line) => (line.includes('"topic":"refunds"') ? line.replaceAll('"pubsub"', '"gone"') : line))
    .join('\n');
  const { recordingId } = await product.rpc('recordings.import', { text: spoilt, name: 'slow.jsonl' });
  await product.rpc('messages.delete', { filter: '' });
  await page.goto(`${new URL(page.url()).origin}/#/recordings?r=${recordingId}`);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('button', { name: 'Replay these…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
  const strip = page.getByRole('region', { name: 'Replay of many messages' });
  await expect(strip).toContainText('2 replayed, 1 failed');
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  const { messageId = '' } = items[0] ?? {};
  expect(JSON.stringify((await product.rpc('messages.get', { messageId })).wire)).toContain(
    '12345678901234567890',
  );
  await strip.getByRole('button', { name: 'Why not' }).click();
  await page.getByRole('dialog', { name: 'What was not replayed' }).getByRole('link').click();
  await expect(page.getByText('Recording: slow.jsonl')).toBeVisible();
  await expect(detail(page).getByRole('textbox', { name: 'Message data' })).toContainText('"orderId": 3');
});

test('messages become a scenario that sidelight test reads', async ({ page, product, accessible }) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await rows(page, /Processed/).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Save as test…' }).click();
  const part = page.getByRole('region', { name: 'Save as test' });
  await expect(part.getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 });
  await expect(part.getByRole('status')).toHaveText('In the test: 1 of 1 message.');
  await expect(part.getByRole('row', { name: /orders/ })).toContainText('orderId');
  await page.getByRole('textbox', { name: 'Title of the test' }).fill('an order is processed');
  await page.getByRole('button', { name: 'Make the test' }).press('Enter');
  const files = page.getByRole('list', { name: 'Files of the test' });
  await expect(files.getByText(/run: sidelight test an-order-is-processed\.scenario\.yaml$/)).toBeVisible();
  await accessible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files
      .getByRole('button', { name: /^Save .*\.scenario\.yaml$/ })
      .first()
      .press('Enter'),
  ]);
  const text = await fs.readFile(await download.path(), 'utf8');
  expect(readScenario(text)).toMatchObject({ ok: true, scenario: { name: 'an order is processed' } });
});
