// Apps that answer badly and files that cannot be read are named on the screens where a person looks for them.
import { createServer } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { DISK_FULL, openFresh, interceptCalls } from './call-interceptor.ts';
import { chooseTab, detail, openMessage } from './console-page.ts';
import { expect, type Product, startProduct, test } from './fixture.ts';
import { openConsole } from './open-console.ts';

test.describe('apps that do not answer well', () => {
  // The first of the two products ends while its page is open.
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

  let port = 0;
  let stop: () => void = () => undefined;
  let lists = false;
  test.beforeEach(async () => {
    lists = false;
    const server = createServer((_request, response) =>
      lists
        ? response.end('[{"pubsubname":"pubsub","topic":"orders","route":"/orders"}]')
        : response.writeHead(500).end('no database'),
    );
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
    ({ port } = bound);
    stop = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  test.afterEach(() => stop());

  /** The first screen says how the app is, with the same words as whoever looks for it elsewhere. */
  const connect = (page: Page): Locator => page.getByRole('region', { name: 'Connect your app' });

  async function shown(page: Page, product: Product, says: string): Promise<void> {
    await openConsole(page, product);
    await expect(connect(page)).toContainText(`app at http://127.0.0.1:${port} ${says}`);
    // Sample traffic is not offered here, because only a mock app answers it.
    await expect(page.getByRole('button', { name: 'Send sample traffic' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Open the publish form' })).toHaveAttribute('data-primary');
    await openFresh(page, '/topics?t=subscriptions');
  }

  test('a failed discovery shows status, address, answer and "Discover again", and a port without an app is waited for', async ({
    page,
    accessible,
  }) => {
    const product = await startProduct({ flags: ['--app-url', `http://127.0.0.1:${port}`] });
    try {
      await shown(page, product, 'answers, but its subscriptions could not be read: The app answered 500');
      const alert = page.getByRole('main').getByRole('alert');
      const words = `Discovery failed: 500 from http://127.0.0.1:${port}/sidecar/subscribe.`;
      await expect(alert).toContainText(words);
      await expect(alert).toContainText('no database');
      await expect(page.getByRole('main').getByRole('button', { name: 'Discover again' })).toBeVisible();
      await accessible();
      lists = true;
      await page.getByRole('main').getByRole('button', { name: 'Discover again' }).click();
      await page.goto(`${new URL(page.url()).origin}/#/messages`);
      await expect(connect(page)).toContainText('answers and subscribes to orders.');
      // A screen that was there before is drawn at once, and has the focus where it helps too.
      await openFresh(page, '/apps');
      await page.goto(`${new URL(page.url()).origin}/#/messages`);
      lists = false;
      await product.rpc('subscriptions.discover', {});
      const banner = page.getByText(/^Discovery of the app failed: The app answered 500/);
      await expect(banner).toBeVisible();
      await page.getByRole('link', { name: 'Open Apps' }).press('Enter');
      const again = page.getByRole('main').getByRole('button', { name: 'Discover again: app' });
      await expect(again).toBeFocused();
      lists = true;
      await page.keyboard.press('Enter');
      await expect(page.getByRole('region', { name: 'app' })).toContainText('done, 1 subscription');
      await expect(banner).toHaveCount(0);
    } finally {
      expect(await product.stop()).toBe(0);
    }
    stop();
    const alone = await startProduct({ flags: ['--app-url', `http://127.0.0.1:${port}`] });
    try {
      await shown(page, alone, 'does not answer yet. Sidelight keeps trying.');
      await expect(page.getByText(`Can't reach the app on port ${port}; retrying.`).first()).toBeVisible();
      await alone.publish('orders', { orderId: 1 });
      await page.goto(`${new URL(page.url()).origin}/#/messages`);
      await openMessage(page, /Waiting for app/);
      const why = `Can't reach the app at http://127.0.0.1:${port}/sidecar/subscribe; retrying.`;
      await expect(detail(page)).toContainText('Waiting for the app to report its subscriptions.');
      await expect(detail(page)).toContainText(why);
      await chooseTab(detail(page), 'Attempts');
      await expect(detail(page).getByText('There is no delivery yet.')).toBeVisible();
      await chooseTab(detail(page), 'Route');
      await expect(detail(page).getByText('The route is not known yet.')).toBeVisible();
      await expect(detail(page)).not.toContainText('No subscription for topic');
    } finally {
      expect(await alone.stop()).toBe(0);
    }
  });
});

test.describe('a folder', () => {
  test.use({ files: { 'orders.yaml': 'apiVersion: sidecar.io/v2alpha1\nkind: Subscription\n' } });

  test('screens name the folder while it is read, say that no component is loaded, and that a file could not be read', async ({
    page,
    folder,
  }) => {
    const calls = await interceptCalls(page);
    calls.stall.add('components.list');
    await openFresh(page, '/components');
    await expect(page.getByText(`Reading ${folder}`)).toBeVisible();
    calls.release();
    await expect(page.getByRole('list', { name: 'Files' })).toContainText('orders.yaml');
    await openFresh(page, '/publish');
    await expect(page.getByText('No pub/sub component is loaded.').first()).toBeVisible();
    calls.refuse.add('components.read');
    await openFresh(page, '/components');
    await page.getByRole('button', { name: 'Edit orders.yaml' }).click();
    await expect(page.getByRole('alert')).toContainText(`orders.yaml could not be read: ${DISK_FULL}`);
  });
});
