// Routes that lead nowhere: one that the app does not serve, and one of the mock app that deliveries keep when the user's app takes its place.
import { createServer, type Server } from 'node:http';
import type { Locator } from '@playwright/test';
import { expect, test } from './fixture.ts';

interface RoutedApp {
  readonly url: string;
  /** Routes that it serves; every other one is answered 404. */
  readonly served: Set<string>;
  readonly server: Server;
  /** Routes that it lists to the next discovery. */
  readonly routes: string[];
}

/** An app that subscribes to `orders`, `orders-2` and so on, each with one of these routes. */
async function appAt(...routes: string[]): Promise<RoutedApp> {
  const served = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      const listed = routes.map((route, index) => ({
        pubsubname: 'pubsub',
        topic: index === 0 ? 'orders' : `orders-${index + 1}`,
        route,
      }));
      response.end(JSON.stringify(listed));
      return;
    }
    response.statusCode = served.has(request.url ?? '') ? 200 : 404;
    response.end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  return { url: `http://127.0.0.1:${bound.port}`, served, server, routes };
}

let app: RoutedApp | undefined;

test.afterEach(async () => {
  const made = app;
  app = undefined;
  if (made === undefined) return;
  made.server.closeAllConnections();
  await new Promise((done) => void made.server.close(done));
});

test('an app that answers 404 at its route is named at once, with what helps, until the route answers', async ({
  page,
  product,
  accessible,
}) => {
  const { url, served } = (app = await appAt('/ordres'));
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  await product.when('the app has listed its route', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ defaultPath }) => defaultPath === '/ordres') ? true : undefined;
  });
  await product.publish('orders', { n: 1 });
  const banner = page.getByText(/^The app answers 404 at \/ordres, the route of its subscription to orders/);
  await expect(banner.first()).toBeVisible();
  expect(product.log()).toContain('The app answers 404 at /ordres');
  // A banner that was closed is found again by the number beside Apps.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toHaveCount(0);
  const apps = page.getByRole('link', { name: 'Apps, 1 problem with routes' });
  await apps.focus();
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'app' });
  await expect(card.getByText(/^The app answers 404 at \/ordres/)).toBeVisible();
  // Another discovery changes nothing at the app.
  await product.rpc('subscriptions.discover', {});
  await expect(card.getByText(/^The app answers 404 at \/ordres/)).toBeVisible();
  await expect(card.getByText('404 at /ordres: 1 dropped')).toBeVisible();
  await expect(card.getByText('up to date')).toHaveCount(0);
  const reroute = card.getByRole('button', { name: 'Reroute them' });
  await accessible();
  served.add('/ordres');
  await reroute.click();
  await expect(page.getByText('1 delivery rerouted.')).toBeVisible();
  await expect(card.getByText('up to date')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Apps', exact: true })).toBeVisible();
});

test('a message dropped at a route that the app has corrected since is rerouted, and not retried', async ({
  page,
  product,
  accessible,
}) => {
  const { url, served, routes } = (app = await appAt('/order'));
  served.add('/orders');
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  await product.when('the app has listed its route', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ defaultPath }) => defaultPath === '/order') ? true : undefined;
  });
  await product.publish('orders', { n: 1 });
  await page.getByRole('row').filter({ hasText: 'orders' }).last().click();
  const retry = page.getByRole('button', { name: 'Retry now', exact: true });
  const reroute = page.getByRole('button', { name: 'Reroute', exact: true });
  await expect(retry).toHaveAttribute('data-primary');
  routes[0] = '/orders';
  await product.rpc('subscriptions.discover', {});
  await expect(
    page.getByText(
      'Reroute it: the app now takes this topic at /orders. The delivery keeps the route /order of an earlier subscription.',
    ),
  ).toBeVisible();
  await expect(reroute).toHaveAttribute('data-primary');
  await expect(retry).not.toHaveAttribute('data-primary');
  // The banner moves what is below it.
  await expect(page.getByRole('button', { name: 'Reroute them' })).toBeVisible();
  await retry.hover();
  await expect(page.locator('[data-hovered]')).toContainText('Calls /order of the app again.');
  await accessible();
  await reroute.click();
  await expect(page.getByText('1 delivery rerouted.')).toBeVisible();
  await expect(reroute).toHaveCount(0);
  const { items } = await product.rpc('messages.list', { filter: 'state:processed', limit: 5 });
  expect(items.map(({ deliveries }) => deliveries.map(({ route }) => route))).toEqual([['/orders']]);
});

test('what was dropped before the route was mended is sent again from its banner', async ({
  page,
  product,
  accessible,
}) => {
  const { url, served, routes } = (app = await appAt('/ordres'));
  served.add('/orders');
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  await product.when('the app has listed its route', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ defaultPath }) => defaultPath === '/ordres') ? true : undefined;
  });
  for (const n of [1, 2]) await product.publish('orders', { n });
  await expect(
    page.getByText(/^The app answers 404 at \/ordres.*2 messages were dropped/).first(),
  ).toBeVisible();
  routes[0] = '/orders';
  await product.rpc('subscriptions.discover', {});
  const banner = page.getByText(
    'Reroute 2 messages of topic orders (pubsub): they were dropped because the app answered 404 at /ordres. The app now takes this topic at /orders.',
  );
  await expect(banner.first()).toBeVisible();
  await accessible();
  await page.getByRole('link', { name: 'Show them' }).click();
  await expect(page.getByText('2 of 2 messages').first()).toBeVisible();
  await page.getByRole('button', { name: 'Reroute them' }).click();
  await expect(page.getByText('2 deliveries rerouted.')).toBeVisible();
  await expect(banner).toHaveCount(0);
  const { total } = await product.rpc('messages.list', { filter: 'state:processed', limit: 5 });
  expect(total).toBe(2);
});

test('a banner about a route leads to what helps, once', async ({ page, product }) => {
  const { url } = (app = await appAt('/ordres'));
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  await product.when('the app has listed its route', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ defaultPath }) => defaultPath === '/ordres') ? true : undefined;
  });
  await product.publish('orders', { n: 1 });
  await page.getByRole('link', { name: 'Open Apps' }).click();
  const reroute = page.getByRole('region', { name: 'app' }).getByRole('button', { name: 'Reroute them' });
  await expect(reroute).toBeFocused();
  await expect(page).not.toHaveURL(/[?&][ah]=/);
  // A later visit of the screen does not take the focus again.
  await page.getByRole('link', { name: 'Messages' }).first().click();
  await page.getByRole('link', { name: /^Apps, 1 problem/ }).click();
  await expect(reroute).toBeVisible();
  await expect(reroute).not.toBeFocused();
});

test('three banners in a small window take two lines until all are asked for', async ({ page, product }) => {
  const { url } = (app = await appAt('/a', '/b', '/c'));
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  await product.when('the app has listed its routes', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.length === 3 ? true : undefined;
  });
  for (const topic of ['orders', 'orders-2', 'orders-3']) await product.publish(topic, { n: 1 });
  await page.setViewportSize({ width: 700, height: 600 });
  const all = page.getByRole('button', { name: 'Show all 3' });
  await expect(all).toBeVisible();
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(dismiss).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Open Apps' }).last()).toBeInViewport();
  const [first, second] = [await dismiss.first().boundingBox(), await dismiss.last().boundingBox()];
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeLessThan(40);
  // The button takes no line of its own, and stays where it is when the banners open.
  const topOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? Number.NaN;
  const top = await topOf(all);
  expect(Math.abs(top - (first?.y ?? 0))).toBeLessThan(6);
  const heightOfAll = (await page.locator('[data-strip]').first().locator('xpath=..').boundingBox())?.height;
  expect(heightOfAll).toBeLessThan(80);
  await all.click();
  await expect(dismiss).toHaveCount(3);
  const less = page.getByRole('button', { name: 'Show less' });
  expect(await topOf(less)).toBe(top);
  await less.click();
  await expect(dismiss).toHaveCount(2);
  // The focus stays when the first banner goes. Of two, the button stands only where a text is cut.
  await all.press('Enter');
  await dismiss.first().evaluate((button) => (button as HTMLElement).click());
  await expect(dismiss).toHaveCount(2);
  await expect(less).toBeFocused();
  await less.press('Enter');
  const whole = page.getByRole('button', { name: 'Show whole text' });
  await expect(whole).toBeFocused();
  await page.setViewportSize({ width: 2400, height: 600 });
  await expect(whole).toHaveCount(0);
  await page.setViewportSize({ width: 700, height: 600 });
  await expect(whole).toBeVisible();
  // By keys the focus goes on to the banner that took the place, then to the screen.
  const strips = page.locator('[data-strip]');
  await dismiss.first().press('Enter');
  await expect(strips).toHaveCount(1);
  await expect(strips).toBeFocused();
  await expect(strips).not.toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Tab');
  await dismiss.press('Enter');
  await expect(strips).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('deliveries that keep a route of the mock app are named when another app takes its place', async ({
  page,
  product,
}) => {
  const { url, served } = (app = await appAt('/api/orders'));
  served.add('/api/orders');
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', route: '/mock-orders' }],
  });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'stop' });
  await product.publish('orders', { n: 1 });
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  const text =
    "Reroute or drop 1 delivery of topic orders (pubsub): it keeps the route /mock-orders of the mock app's subscription. The app now takes this topic at /api/orders.";
  await expect(page.getByText(text).first()).toBeVisible();
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.getByRole('row').filter({ hasText: 'orders' }).last().click();
  await expect(
    page
      .getByText(
        'Reroute it: the app now takes this topic at /api/orders. The delivery keeps the route /mock-orders of an earlier subscription.',
      )
      .first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reroute', exact: true }).click();
  await expect(page.getByText('1 delivery rerouted.')).toBeVisible();
  await expect(page.getByText(text)).toHaveCount(0);
  const { items } = await product.rpc('messages.list', { filter: '', limit: 5 });
  expect(items.map(({ deliveries }) => deliveries.map(({ state, route }) => `${state} ${route}`))).toEqual([
    ['held /api/orders'],
  ]);
  await product.rpc('deliveries.release', { filter: 'topic:orders' });
  await product.when('it was sent to the new route', async () => {
    const { items: sent } = await product.rpc('messages.list', { filter: 'state:processed', limit: 5 });
    return sent.length === 1 ? true : undefined;
  });
});
