// The first minute: an empty list, sample traffic in all nine states, and everything taken away again.
import { messages, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const STATES = [
  'Queued',
  'Held',
  'Attempting',
  'Retrying',
  'Processed',
  'Dropped',
  'Expired',
  'Dead-lettered',
  'Parked',
];

const LOOKS = [
  { title: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { title: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { title: 'narrow', colorScheme: 'light', viewport: { width: 700, height: 900 } },
] as const;

for (const { title, ...look } of LOOKS) {
  test.describe(title, () => {
    test.use(look);

    test('sample traffic ends in all nine states and can be removed', async ({
      page,
      product,
      accessible,
    }) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
      await expect(page.getByText('Nothing has been published yet')).toBeVisible();
      await expect(page.getByText(`Sidecar listens on ${product.ready.apps[0]?.sidecar}`)).toBeVisible();
      await expect(page.getByText(`curl -X POST ${product.at('/v1.0/publish/pubsub/orders')}`)).toBeVisible();
      await accessible();

      await page.getByRole('button', { name: 'Send sample traffic' }).click();
      await expect(toast(page, 'Sample traffic sent.')).toBeVisible();
      await expect
        .poll(async () => Number(await messages(page).getAttribute('aria-rowcount')))
        .toBeGreaterThanOrEqual(12);
      for (const state of STATES) await expect(rows(page, new RegExp(`, ${state},`)).first()).toBeVisible();
      await accessible();

      await page.getByRole('button', { name: 'Remove sample data' }).click();
      await expect(page.getByText('Nothing has been published yet')).toBeVisible();
      const { items: subscriptions } = await product.rpc('subscriptions.list', {});
      expect(subscriptions.map(({ topic }) => topic)).toEqual(['orders']);
      expect((await product.rpc('mockApp.get', {})).rules).toEqual([]);
      expect((await product.rpc('holds.list', {})).items).toEqual([]);
      const { items: settings } = await product.rpc('settings.get', {});
      expect(settings.filter(({ origin }) => origin === 'here')).toEqual([]);
    });
  });
}
