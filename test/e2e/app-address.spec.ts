// An app that is turned to a port where nobody listens: Apps calls nothing of the app before up to date.
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Port 1 needs rights that no journey has. */
const CLOSED = '127.0.0.1:1';

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
