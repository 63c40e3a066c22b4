// The first screen after an app was connected to a port where nobody listens: one banner, and the address where deliveries go.
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Port 1 needs rights that no journey has. */
const CLOSED = '127.0.0.1:1';

test('an address needs no scheme, and one where nobody listens is reported once', async ({
  page,
  product,
}) => {
  await expect(page.getByText(/mock app answers on/)).toBeVisible();
  const field = page.getByRole('textbox', { name: 'App address' });
  await field.fill(CLOSED);
  await field.press('Enter');
  await expect(page.getByText(`deliveries go to http://${CLOSED}`)).toBeVisible();
  await expect(page.getByText(/mock app answers on/)).toHaveCount(0);
  await expect(page.getByText(`Nobody listens at http://${CLOSED}, the address of the app`)).toBeVisible();
  await product.when('the app was asked, in vain', async () => {
    const { items } = await product.rpc('apps.list', {});
    return items[0]?.discovery.state === 'failed' ? true : undefined;
  });
  const { banners } = await product.rpc('system.describe', {});
  expect(banners.filter(({ text }) => text.includes(CLOSED))).toHaveLength(1);
  const { items: settings } = await product.rpc('settings.get', {});
  expect(settings.find(({ key }) => key === 'app.address')?.value).toEqual({ app: `http://${CLOSED}` });
});

test('Apps does not call subscriptions of the app before up to date while a new address is asked', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await go(page, 'Apps');
  const card = page.getByRole('region', { name: 'app' });
  await expect(card.getByText('up to date')).toBeVisible();
  await product.rpc('settings.set', { key: 'app.address', value: { app: `http://${CLOSED}` } });
  await expect(
    card.getByText('Reported earlier. Sidelight replaces them when the app answers at this address.'),
  ).toBeVisible();
  await expect(card.getByText('up to date')).toHaveCount(0);
});
