// Content that is merely huge: a long topic, five megabytes, a thousand levels, bytes that are no text.
import { chooseTab, detail, go, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { SCREENS, send, unharmed, data, showText } from './hostile-content.ts';
const LONG_TOPIC = 'very-long-'.repeat(1000);

test.use({ flags: ['--set', 'http.maxBodyBytes=0'] });

test('a topic of 10,000 characters', async ({ page, product, accessible }) => {
  await send(product, LONG_TOPIC, '{"orderId":1}');
  await send(product, 'orders', '{"orderId":2}');
  await openMessage(page, /very-long/);
  await unharmed(page);
  await accessible();
  for (const screen of SCREENS) {
    await go(page, screen);
    await unharmed(page);
  }
  await go(page, 'Topics');
  await expect(page.getByRole('table', { name: 'Topics' })).toContainText(LONG_TOPIC);
  await page.setViewportSize({ width: 700, height: 900 });
  await unharmed(page);
  await go(page, 'Messages');
  await unharmed(page);
});

test('five megabytes, a thousand levels, bytes that are no text', async ({ page, product }) => {
  await send(product, 'orders', JSON.stringify({ big: 'x'.repeat(5 * 1024 * 1024) }));
  await expect(rows(page, /orders/)).toHaveCount(1);
  await showText(page);
  await expect(detail(page).getByRole('button', { name: /^Show all/ })).toBeVisible();
  await unharmed(page);

  const deep = `${'['.repeat(1000)}1${']'.repeat(1000)}`;
  await send(product, 'orders', `{"deep":${deep}}`);
  await expect(rows(page, /orders/)).toHaveCount(2);
  await showText(page);
  await expect(data(page)).toContainText('[[[[[[[[');
  await chooseTab(detail(page), 'Envelope');
  await unharmed(page);

  await send(
    product,
    'orders',
    new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x80]),
    'application/octet-stream',
  );
  await expect(rows(page, /orders/)).toHaveCount(3);
  await showText(page);
  await unharmed(page);
  await send(product, 'orders', new Uint8Array([0x7b, 0xff, 0x7d]), 'text/plain');
  await expect(rows(page, /orders/)).toHaveCount(4);
  await showText(page);
  await unharmed(page);
});
