// Hostile content is shown exactly, never runs, and leaves the layout as it is. Huge content: a long topic, five megabytes, a thousand
// levels, bytes that are no text.
import { chooseTab, detail, go, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { SCREENS, send, unharmed, data, showText } from './hostile-content.ts';

const MARKUP = `<img src=x onerror="window.harmed=1"><script>window.harmed=2</script><b>bold</b>`;
const SCRIPT_URL = 'javascript:window.harmed=3';
const BIDI = 'user\u202egnp.exe\u202c \u2066hidden\u2069';
const CONTROLS = 'bell\u0007 null\u0000 escape\u001b[31m del\u007f zero\u200bwidth';
const LONG_TOPIC = 'very-long-'.repeat(1000);

test.use({ flags: ['--set', 'http.maxBodyBytes=0'] });

test('a topic of 10,000 characters leaves every screen intact', async ({ page, product, accessible }) => {
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
  // The screen comes back as it was left: with the message, which covers the list where there is no room for both.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Messages/ })
    .click();
  await unharmed(page);
  await detail(page).getByRole('button', { name: 'Back to list' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await unharmed(page);
});

test('five megabytes, a thousand levels and bytes that are not text are shown', async ({ page, product }) => {
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

test('markup, script addresses and characters that turn or hide text are shown as text', async ({
  page,
  product,
  accessible,
}) => {
  page.on('dialog', () => expect(false, 'a dialog of a message').toBe(true));
  for (const [index, text] of [MARKUP, SCRIPT_URL, BIDI, CONTROLS].entries()) {
    await send(
      product,
      'orders',
      JSON.stringify({ text }),
      'application/json',
      `?metadata.cloudevent.type=${encodeURIComponent(MARKUP)}`,
    );
    await expect(rows(page, /orders/)).toHaveCount(index + 1);
    await showText(page);
    await unharmed(page);
  }
  await expect(data(page)).toContainText('bell');
  await expect(rows(page, /onerror/).first()).toBeVisible();

  await send(product, MARKUP, '{"topic":1}');
  await send(product, `${SCRIPT_URL}`, '{"topic":2}');
  await send(product, BIDI, '{"topic":3}');
  for (const screen of SCREENS) {
    await go(page, screen);
    await unharmed(page);
  }
  await go(page, 'Topics');
  const table = page.getByRole('table', { name: 'Topics' });
  await expect(table.getByText(MARKUP, { exact: true })).toBeVisible();
  await expect(table.getByText(SCRIPT_URL, { exact: true })).toBeVisible();
  await accessible();
});
