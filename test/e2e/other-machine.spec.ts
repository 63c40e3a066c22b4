// The console opened over plain HTTP by the name of the machine, as from another one. Browsers give such a page neither their cryptography nor
// the clipboard.
import type { LaunchOptions } from '@playwright/test';
import { detail, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const NAME = 'sidelight.example';
const decided = process.env['SIDELIGHT_BROWSER'];
const found: LaunchOptions = decided === undefined ? {} : JSON.parse(decided);
const rules = `--host-resolver-rules=MAP ${NAME} 127.0.0.1`;
test.use({
  launchOptions: { ...found, args: [...(found.args ?? []), rules] },
  flags: ['--console-host', '0.0.0.0', '--console-allowed-host', NAME],
  opensConsole: false,
  // The browser says of a header that it does not use it over plain HTTP.
  expectedErrors: [/Cross-Origin-Opener-Policy/],
});

test('it is opened by a link, shows and copies messages, and is still signed in after a reload', async ({
  page,
  product,
}) => {
  const link = new URL(product.ready.open);
  link.hostname = NAME;
  await page.goto(link.href);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await product.publish('orders', { orderId: 7 });
  await rows(page, /Processed/).click();
  const copy = detail(page).getByRole('tabpanel', { name: 'Data' }).getByRole('button', { name: 'Copy' });
  await copy.click();
  await expect(toast(page, 'Copied.')).toBeVisible();
  await expect(copy).toBeFocused();
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.press('ControlOrMeta+v');
  await expect(filter).toHaveValue(/"orderId": ?7/);
  await page.reload();
  await expect(rows(page, /Processed/)).toHaveCount(1);
});
