// Two recordings are compared without a session; without a recording the screen says what to do.
import type { Page } from '@playwright/test';
import { go, messages } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Exports the history and opens it, or a part of its text, as a recording. */
async function recordNow(
  product: Product,
  name: string,
  partOf = (text: string): string => text,
): Promise<string> {
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  return (await product.rpc('recordings.import', { name, text: partOf(text) })).recordingId;
}

const part = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });

test('without a recording the screen says what to do; two recordings are compared', async ({
  page,
  product,
}) => {
  await go(page, 'Recordings');
  await expect(part(page)).toContainText('Open a recording to compare it with this session');
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  const first = await recordNow(product, 'empty.sidelight.jsonl', (text) => `${text.split('\n')[0]}\n`);
  const second = await recordNow(product, 'full.sidelight.jsonl');
  // Nothing is read before somebody asks for it.
  await go(page, 'Recordings');
  const compare = part(page).getByRole('button', { name: 'Show differences' });
  await expect(compare).toBeVisible();
  await expect(part(page).getByRole('status')).toHaveCount(0);
  await compare.press('Enter');
  await expect(part(page).getByRole('status')).toContainText('in this session');
  await page.goto(`${new URL(page.url()).origin}/#/recordings?part=compare&a=${first}&b=${second}`);
  await expect(part(page).getByRole('status')).toHaveText(
    '0 changed, 0 only in empty.sidelight.jsonl, 1 only in full.sidelight.jsonl, 0 the same',
  );
  await page.goto(`${new URL(page.url()).origin}/#/recordings?part=compare&a=${second}&b=${second}`);
  await expect(part(page).getByRole('status')).toHaveText('Choose two different recordings.');
});
