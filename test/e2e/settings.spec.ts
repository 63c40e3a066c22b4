// Settings: each shows its value and where it comes from, and a change takes effect at once.
import { createServer } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { detail, go, openMessage, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

const openDelivery = async (page: Page): Promise<void> => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
};

test.use({ flags: ['--set', 'delivery.concurrency=3'] });

test('a retry policy changed in Settings is marked and used', async ({ page, product, accessible }) => {
  await openDelivery(page);
  const policy = page.getByRole('group', { name: 'Retry policy', exact: true });
  const row = page.locator('form').filter({ has: policy });
  await expect(row).toContainText('default');
  await accessible();
  await policy.getByRole('textbox', { name: 'Attempts' }).fill('2');
  await policy.getByRole('textbox', { name: 'First wait' }).fill('10 ms');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /saved\.$/)).toBeVisible();
  await expect(row).toContainText('set here');
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'delivery.retry')).toMatchObject({
    origin: 'here',
    value: { maxAttempts: 2, firstDelayMs: 10 },
  });
  await accessible();

  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await openMessage(page, /Parked, 2 attempts/, 'Attempts');
  await expect(
    detail(page).getByText(
      /^All 2 attempts used; the last answer was \d+\. Parked: retry, replay or drop it\./,
    ),
  ).toBeVisible();

  await openDelivery(page);
  await row.getByRole('button', { name: 'Reset' }).click();
  await expect(row).toContainText('default');
});

test('a bad value is refused, one set by flag is read-only, every section can be found, and the look is kept over a reload', async ({
  page,
  product,
  accessible,
}) => {
  await openDelivery(page);
  const policy = page.getByRole('group', { name: 'Retry policy', exact: true });
  const row = page.locator('form').filter({ has: policy });
  await policy.getByRole('textbox', { name: 'Jitter' }).fill('7');
  await row.getByRole('button', { name: 'Save' }).click();
  const jitter = policy.getByRole('textbox', { name: 'Jitter' });
  await expect(jitter).toHaveAccessibleDescription(/^Use a number from 0 to 1\./);
  await expect(jitter).toBeFocused();
  await accessible();
  await row.getByRole('button', { name: 'Discard changes' }).click();
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'delivery.retry')?.origin).toBe('default');

  const byFlag = page.locator('form').filter({ hasText: 'delivery.concurrency' });
  await expect(byFlag).toContainText('set by flag, read-only');
  await expect(byFlag.getByRole('textbox')).toHaveValue('3');
  await expect(byFlag.getByRole('textbox')).toHaveJSProperty('readOnly', true);

  await test.step('outside the window only with the permission of the browser', async () => {
    await page.getByRole('tab', { name: 'General' }).click();
    const outside = page.getByRole('switch', { name: 'Also outside this window' });
    await outside.click();
    await expect(page.getByText('The browser or the desktop does not allow it.')).toBeVisible();
    await expect(outside).not.toBeChecked();
    await accessible();
  });

  await test.step('settings are found by a word; every section is there', async () => {
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('backlog');
    await expect(page.getByText('delivery.backlog', { exact: true })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('nothing like it');
    await expect(page.getByText('No setting matches "nothing like it".')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('');
    for (const name of [
      'General',
      'Apps',
      'Delivery',
      'Event router',
      'Storage',
      'Keyboard',
      'Appearance',
      'About',
    ]) {
      await page.getByRole('tab', { name }).click();
      // The previous section may still be closing.
      await expect(page.getByRole('tabpanel', { name })).toBeVisible();
      // sweep.spec.ts looks at each of them.
      if (isLong) await accessible();
    }
  });

  await test.step('theme and row height are kept over a reload', async () => {
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Comfortable' }).check();
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
    await expect(page.getByRole('radio', { name: 'Comfortable' })).toBeChecked();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  });
});

test('each member of the event router has a field, sizes and times have units, and a refusal stands beside its field', async ({
  page,
  product,
  accessible,
}) => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Event router' }).click();
  const form = page.locator('form').filter({ hasText: 'eventRouter' });
  const field = (name: string): Locator => form.getByRole('textbox', { name, exact: true });
  await expect(field('Largest request')).toHaveValue('1 MiB');
  await field('Largest request').fill('4 MiB');
  await field('Wait before dead-lettering').fill('5 min');
  await field('Time scale').fill('5000');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(field('Time scale')).toHaveAccessibleDescription(/^Use a number from 0 to 1,000\./);
  await expect(field('Time scale')).toBeFocused();
  await accessible();
  await field('Time scale').fill('1');
  // A text that is not saved yet is still there after another screen.
  await go(page, 'Topics');
  await go(page, 'Settings');
  await expect(field('Time scale')).toHaveValue('1');
  await expect(field('Wait before dead-lettering')).toHaveValue('5 min');
  await form.getByRole('combobox', { name: 'Roles' }).click();
  await page.getByRole('option', { name: 'Only roles that were granted' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toContainText('set here');
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'eventRouter')?.value).toMatchObject({
    rbac: 'enforce',
    limits: { maxRequestBytes: 4_194_304 },
    delivery: { timeScale: 1, deadLetterDelay: 300, jitter: 0.1 },
  });
  await form.getByRole('button', { name: 'Reset' }).click();
  await expect(field('Largest request')).toHaveValue('1 MiB');
  // A saved text is no draft any more.
  await go(page, 'Topics');
  await go(page, 'Settings');
  await expect(field('Largest request')).toHaveValue('1 MiB');
});

test('the address of an app is set in Settings, then back to the mock app', async ({
  page,
  product,
  accessible,
}) => {
  const asked: string[] = [];
  const app = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    const subscriptions = [{ pubsubname: 'pubsub', topic: 'mine', routes: { default: '/mine' } }];
    response.end(JSON.stringify(request.method === 'GET' ? subscriptions : { status: 'SUCCESS' }));
  });
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  const bound = app.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  const url = `http://127.0.0.1:${bound.port}`;
  try {
    const form = page.getByRole('form', { name: 'Address of the app' });
    await expect(form.getByRole('button', { name: 'Deliver to this address' })).toBeVisible();
    await page.getByRole('link', { name: 'All apps and their addresses' }).click();
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    await form.getByRole('textbox', { name: 'App address' }).fill('nowhere');
    await form.getByRole('button', { name: 'Deliver to this address' }).click();
    await expect(form.getByText(/is not an address; the port is missing, as in/)).toBeVisible();
    await accessible();
    await form.getByRole('textbox', { name: 'App address' }).fill(url);
    await form.getByRole('textbox', { name: 'App address' }).press('Enter');
    await expect(toast(page, `Deliveries of the app go to ${url}.`)).toBeVisible();
    await expect(page.getByRole('definition').filter({ hasText: url }).first()).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'App address' })).toBeFocused();
    await product.publish('mine', { n: 1 });
    await product.when('delivered', async () => (asked.includes('POST /mine') ? true : undefined));
    await accessible();
    // The Apps screen leads to the address too.
    await go(page, 'Apps');
    await expect(page.getByRole('region', { name: 'app' })).toContainText(
      /done, 1 subscription, asked at \d/,
    );
    await page.getByText('Change the address').click();
    await accessible();
    await form.getByRole('button', { name: 'Back to the mock app' }).click();
    await expect(toast(page, 'The mock app answers for the app again.')).toBeVisible();
    await expect(page.getByText('Connect your own app')).toBeVisible();
  } finally {
    app.closeAllConnections();
    app.close();
  }
});

test('an added app has a sidecar of its own, and is removed after a question', async ({
  page,
  product,
  accessible,
}) => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Apps' }).click();
  const form = page.getByRole('form', { name: 'Add an app' });
  const add = form.getByRole('button', { name: 'Add app' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await form.getByRole('textbox', { name: 'App id' }).fill('app');
  await add.click();
  await expect(form.getByText('The app id "app" is taken')).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'App id' })).toHaveAttribute('aria-invalid', 'true');
  await form.getByRole('textbox', { name: 'App id' }).fill('shop');
  await form.getByRole('textbox', { name: 'Sidecar port' }).fill('many');
  await add.click();
  await expect(form.getByText('expected a whole number 0 to 65535, found "many"')).toBeVisible();
  await accessible();
  await form.getByRole('textbox', { name: 'Sidecar port' }).fill('');
  await add.click();
  await expect(toast(page, /^shop is added\. Its sidecar listens on http:/)).toBeVisible();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'shop' }) });
  await expect(card).toContainText('Mock app');
  await expect(form.getByRole('textbox', { name: 'App id' })).toHaveValue('');
  const { items } = await product.rpc('apps.list', {});
  const sidecar = items.find(({ appId }) => appId === 'shop')?.sidecar ?? '';
  expect((await fetch(`${sidecar}/v1.0/healthz/outbound`)).status).toBe(204);
  // The app of the command line stays.
  await expect(page.getByRole('button', { name: 'Remove the app…' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Remove app shop…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove app shop?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(toast(page, /^shop is removed\.$/)).toBeVisible();
  await expect(card).toHaveCount(0);

  // The address of a closed message does not come back with that of another one.
  await form.getByRole('textbox', { name: 'App id' }).fill('shop');
  await form.getByRole('textbox', { name: 'App address' }).fill('http://127.0.0.1:9');
  await add.click();
  await expect(card).toContainText('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Remove app shop…' }).click();
  await question.getByRole('button', { name: 'Remove' }).click();
  const address = async () => {
    const { items: now } = await product.rpc('settings.get', {});
    return now.find(({ key }) => key === 'app.address')?.value;
  };
  await product.when('its address is gone', async () =>
    JSON.stringify(await address()) === '{}' ? true : undefined,
  );
  await expect(card).toHaveCount(0);
  const own = page.getByRole('form', { name: 'Address of the app', exact: true });
  await own.getByRole('textbox', { name: 'App address' }).fill('http://127.0.0.1:10');
  await own.getByRole('button', { name: 'Deliver to this address' }).click();
  await expect(toast(page, /http:\/\/127\.0\.0\.1:10/)).toBeVisible();
  expect(await address()).toEqual({ app: 'http://127.0.0.1:10' });
});
