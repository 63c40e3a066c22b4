// The open message: paths in its data, its bytes, its time, its deliveries.
import type { Page } from '@playwright/test';
import { chooseTab, detail, messages, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const SUCCESS = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } as const;

/** The mock app answers 503 once, then SUCCESS; the next attempt comes at once. */
async function failsOnce(product: Product): Promise<void> {
  const value = { maxAttempts: 5, firstDelayMs: 2000, factor: 1, maxDelayMs: 2000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setRules', {
    rules: [
      {
        name: 'once',
        enabled: true,
        match: {},
        per: 'message',
        answer: {
          kind: 'sequence',
          steps: [{ kind: 'respond', status: 503, body: '' }, SUCCESS],
          then: 'repeat-last',
        },
      },
    ],
  });
}

test('a value in the data leads to its path, a filter, a column and the clipboard', async ({
  page,
  product,
  context,
  accessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.publish('orders', { items: [{ sku: 'A "1"' }] });
  await product.publish('orders', { items: [{ sku: 'B' }] });
  await rows(page, /Processed/)
    .first()
    .click();
  await detail(page).locator('.cm-line', { hasText: '"sku"' }).click();
  const path = detail(page).getByRole('status', { name: 'The cursor is at data.items[0].sku' });
  await expect(path).toHaveText('data.items[0].sku');
  await detail(page).getByRole('button', { name: 'Copy path' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('data.items[0].sku');
  await detail(page).getByRole('button', { name: 'Add as column' }).click();
  await expect(toast(page, 'Column data.items[0].sku added.')).toBeVisible();
  await accessible();
  await detail(page).getByRole('button', { name: 'Filter by this value' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(
    String.raw`data.items[0].sku:"A \"1\""`,
  );
});

test('bytes: a dump that goes to an offset', async ({ page, product, accessible }) => {
  const body = new Uint8Array(40_000).map((_, index) => index % 251);
  body.set([0xde, 0xad, 0xbe, 0xef], 0x8000);
  const answer = await product.sidecar('/v1.0/publish/pubsub/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  expect(answer.status).toBe(204);
  await rows(page, /Processed/).click();
  const offset = detail(page).getByRole('textbox', { name: 'Go to offset' });
  await offset.fill('99999');
  await expect(detail(page)).toContainText('An offset from 0 to 39999');
  await offset.fill('0x8000');
  await offset.press('Enter');
  const dump = detail(page).getByRole('grid');
  const marked = dump.locator('[aria-selected="true"]');
  await expect(marked).toContainText('00008000  de ad be ef');
  await expect(dump).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(marked).toContainText('00008008  ');
  await page.keyboard.press('ArrowUp');
  // The panel is narrower than a row of sixteen: its text is in sight all the same.
  // The panel ends at a fraction of a pixel.
  await expect(marked).toBeInViewport({ ratio: 0.99 });
  await accessible();
});

/** Parts of the open message that reach beyond its panel, other than inside of what scrolls by itself. */
async function pushedOut(page: Page): Promise<readonly string[]> {
  return await detail(page).evaluate((panel) => {
    const edge = panel.getBoundingClientRect().right + 1;
    const parts = [...panel.querySelectorAll('[role=tab], article, section, h2, p, [role=tabpanel]')];
    return parts
      .filter(
        (part) =>
          part.getBoundingClientRect().right > edge && part.closest('pre, table, .cm-editor') === null,
      )
      .map((part) => `${part.tagName} ${part.textContent.slice(0, 40)}`);
  });
}

test('the time of a message: lanes, zoom, and the same trace laid over', async ({
  page,
  product,
  accessible,
}) => {
  await failsOnce(product);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  for (const orderId of [1, 2]) {
    await product.sidecar('/v1.0/publish/pubsub/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ orderId }),
    });
  }
  await expect(rows(page, /Processed, 2 attempts/)).toHaveCount(2);
  await rows(page, /Processed/)
    .first()
    .click();
  await chooseTab(detail(page), 'Attempts');
  // How long a part takes is the machine's; the unit of it too.
  await expect(detail(page)).toContainText(/waited [\d.]+ \w+ \(policy constant 2 s\)/);
  await expect(detail(page).getByRole('article').first()).toContainText(
    /connect [\d.]+ m?s.*read [\d.]+ m?s/,
  );
  await chooseTab(detail(page), 'Timeline');
  const picture = detail(page).getByRole('region', { name: 'Waterfall', exact: true });
  const lanes = picture.getByRole('listitem');
  await expect(lanes).toHaveText([
    /^Published \d/,
    /^Queued \d/,
    /^Attempt 1 \d/,
    /^Attempt 2 \d/,
    /^Waits [\d.]+ \w+$/,
    'End Processed',
  ]);
  await picture.getByRole('region', { name: 'Lanes of the waterfall' }).focus();
  await page.keyboard.press('+');
  await expect(picture).toContainText('×2');
  await page.keyboard.press('-');
  await expect(picture).toContainText('×1');
  await expect(picture.getByRole('button', { name: 'Zoom out' })).toHaveAttribute('aria-disabled', 'true');
  await detail(page).getByRole('checkbox', { name: 'Lay over the same trace: 2 messages' }).check();
  await expect(lanes).toHaveCount(7);
  await accessible();
  // In a narrow window with both sides nothing is pushed out, and what stands around them keeps to one line.
  await page.setViewportSize({ width: 960, height: 800 });
  for (const tab of ['Attempts', 'Timeline', 'Notes']) {
    await chooseTab(detail(page), tab);
    await expect.poll(async () => await pushedOut(page)).toEqual([]);
  }
  const [banner, footer] = [page.getByRole('banner'), page.getByRole('contentinfo')];
  expect((await banner.boundingBox())?.height).toBeLessThan(50);
  expect((await footer.boundingBox())?.height).toBeLessThan(34);
});

test.describe('two apps', () => {
  test.use({ flags: ['--app', 'second=mock'] });

  test('every delivery of a message at once', async ({ page, product, accessible }) => {
    await product.publish('orders', { orderId: 1 });
    await rows(page, /2 deliveries|Processed/)
      .first()
      .click();
    const choice = detail(page).getByRole('combobox', { name: 'Delivery' });
    await choice.click();
    await page.getByRole('option', { name: 'All 2' }).click();
    await chooseTab(detail(page), 'Timeline');
    await expect(detail(page).getByRole('table', { name: /^Transitions of / })).toHaveCount(2);
    await expect(detail(page).getByRole('region', { name: 'Waterfall', exact: true })).toContainText(
      'second /orders',
    );
    await chooseTab(detail(page), 'Attempts');
    await expect(detail(page).getByRole('article', { name: /^Attempt 1/ })).toHaveCount(2);
    await accessible();
  });
});
