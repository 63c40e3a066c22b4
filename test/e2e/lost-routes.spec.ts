// Routes that lead nowhere: one that the app does not serve, and one of the mock app that deliveries keep when the user's app takes its place.
import { createServer, type Server } from 'node:http';
import { expect, test } from './fixture.ts';

interface RoutedApp {
  readonly url: string;
  /** Routes that it serves; every other one is answered 404. */
  readonly served: Set<string>;
  readonly server: Server;
}

/** An app that subscribes to `orders` with this route. */
async function appAt(route: string): Promise<RoutedApp> {
  const served = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route }]));
      return;
    }
    response.statusCode = served.has(request.url ?? '') ? 200 : 404;
    response.end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  return { url: `http://127.0.0.1:${bound.port}`, served, server };
}

let app: RoutedApp;

test.afterEach(async () => {
  app.server.closeAllConnections();
  await new Promise((done) => void app.server.close(done));
});

test('an app that answers 404 at its route is named at once, with what helps, until the route answers', async ({
  page,
  product,
  accessible,
}) => {
  app = await appAt('/ordres');
  await product.rpc('settings.set', { key: 'app.address', value: { app: app.url } });
  await product.when('the app has listed its route', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ defaultPath }) => defaultPath === '/ordres') ? true : undefined;
  });
  await product.publish('orders', { n: 1 });
  const banner = page.getByText(/^The app answers 404 at \/ordres, the route of its subscription to orders/);
  await expect(banner.first()).toBeVisible();
  expect(product.log()).toContain('The app answers 404 at /ordres');
  await page.getByRole('link', { name: 'Open Apps' }).click();
  const card = page.getByRole('region', { name: 'app' });
  await expect(card.getByText('404 at /ordres: 1 dropped')).toBeVisible();
  await expect(card.getByText('up to date')).toHaveCount(0);
  const replay = card.getByRole('button', { name: 'Replay them…' });
  await expect(replay).toBeFocused();
  await accessible();
  app.served.add('/ordres');
  await replay.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 1' }).click();
  await expect(card.getByText('up to date')).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('deliveries that keep a route of the mock app are named when another app takes its place', async ({
  page,
  product,
}) => {
  app = await appAt('/api/orders');
  app.served.add('/api/orders');
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', route: '/mock-orders' }],
  });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'stop' });
  await product.publish('orders', { n: 1 });
  await product.rpc('settings.set', { key: 'app.address', value: { app: app.url } });
  const text =
    "1 delivery of topic orders (pubsub) to the app still keeps the route /mock-orders of the mock app's subscription. The app now takes this topic at /api/orders.";
  await expect(page.getByText(text).first()).toBeVisible();
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.getByRole('row').filter({ hasText: 'orders' }).last().click();
  await expect(
    page
      .getByText(
        'Its route /mock-orders is of an earlier subscription: the app takes this topic at /api/orders now.',
      )
      .first(),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Open Apps' }).click();
  await page.getByRole('button', { name: 'Replay them…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 1 and remove' }).click();
  await product.when('the replay has reached the new route', async () => {
    const { items } = await product.rpc('messages.list', { filter: 'route:/api/orders', limit: 5 });
    return items.length === 1 ? true : undefined;
  });
});
