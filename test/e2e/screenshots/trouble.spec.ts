// The pictures of docs/screens on which something went wrong, is missing or is still to come, light and dark.
import { createServer } from 'node:http';
import { take, takeAsIs } from './take.ts';
import { interceptCalls, openFresh } from '../call-interceptor.ts';
import { LOST, notice, withConnectionSwitch } from '../connection-switch.ts';
import { chooseTab, detail, go, openMessage, rows } from '../console-page.ts';
import { expect, type Product, test } from '../fixture.ts';
import { freePort } from '../../support/free-port.ts';

const BROKEN = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: stock
spec:
  type: pubsub.in-memry
  version: v1
`;
const PUBSUB = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
`;

/** The mock app answers with this status and error, and there is one attempt. */
async function answersWith(product: Product, status: number, error: string): Promise<void> {
  const value = { maxAttempts: 1, firstDelayMs: 1000, factor: 1, maxDelayMs: 1000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  const answer = { kind: 'respond', status, body: { error } } as const;
  await product.rpc('mockApp.setRules', { rules: [{ match: {}, answer }] });
}

/** An app that subscribes to `orders` at a route that it does not serve. */
async function appWithoutRoute(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET')
      response.end('[{"pubsubname":"pubsub","topic":"orders","route":"/ordres"}]');
    else
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":"There is no such path."}');
  });
  const port = await freePort();
  await new Promise<void>((done) => void server.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test.describe('without an app', () => {
      test.use({ opensConsole: false });

      test('an app that is down', async ({ page, products }) => {
        const port = await freePort();
        const product = await products.start(['--app-url', `http://127.0.0.1:${port}`]);
        const { url } = await product.rpc('system.link', {});
        await page.goto(url);
        await product.publish('orders', { orderId: 1, total: 120 });
        await openMessage(page, /Waiting for app/);
        await expect(detail(page)).toContainText(`Can't reach the app at http://127.0.0.1:${port}`);
        // The note is about a flag of the journeys.
        await expect(page.getByText(`Nothing listens at http://127.0.0.1:${port}`).first()).toBeVisible();
        await page.getByRole('button', { name: 'Dismiss' }).last().click();
        await expect(page.getByText('--app-port 0 has no effect')).toBeHidden();
        await take(page, `trouble-app-down-${colorScheme}`);
        products.leave(product, 'an app that is down');
      });
    });

    test('a route that the app does not have', async ({ page, product }) => {
      // A mock app that answers 404 follows a rule of its person, which is no mistake: only a real app makes the banner.
      const app = await appWithoutRoute();
      await product.rpc('settings.set', { key: 'app.address', value: { app: app.url } });
      await product.when('the app has listed its route', async () => {
        const { items } = await product.rpc('subscriptions.list', {});
        return items.some(({ defaultPath }) => defaultPath === '/ordres') ? true : undefined;
      });
      await product.publish('orders', { orderId: 1, total: 120 });
      await openMessage(page, /orders, .*404/, 'Attempts');
      await expect(page.getByText('The app answers 404 at /ordres').first()).toBeVisible();
      await take(page, `trouble-wrong-route-${colorScheme}`);
      app.close();
    });

    test('a parked message with its cause', async ({ page, product }) => {
      await answersWith(product, 503, 'The database is away.');
      await product.publish('orders', { orderId: 1, total: 120 });
      await openMessage(page, /Parked/, 'Attempts');
      await page.getByRole('button', { name: 'Waiting for you 1' }).click();
      await expect(page.getByRole('list', { name: 'Waiting for you' })).toBeVisible();
      await take(page, `trouble-parked-${colorScheme}`);
    });

    test('a publish that is refused', async ({ page, product }) => {
      const sidecar = product.ready.apps[0]?.sidecar ?? '';
      await product.publish('orders', { orderId: 1, total: 120 });
      await fetch(`${sidecar}/v1.0/publish/pubsu/orders`, { method: 'POST', body: '{}' });
      await expect(page.getByText('pubsub pubsu is not found')).toBeVisible();
      await take(page, `trouble-refused-publish-${colorScheme}`);
    });

    test('a mistake in the filter', async ({ page, product }) => {
      await product.publish('orders', { orderId: 1, total: 120 });
      await expect(rows(page, /Processed/)).toHaveCount(1);
      const field = page.getByRole('combobox', { name: 'Filter messages' });
      await field.fill('sate:parked');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      // The options are closed, and the field keeps its text.
      await field.press('Enter');
      await expect(page.getByRole('button', { name: /^Use / }).first()).toBeVisible();
      await take(page, `trouble-filter-${colorScheme}`);
    });

    test.describe('without a connection', () => {
      test.use({ expectedErrors: [/WebSocket connection to .* failed/] });

      test('a connection that is lost', async ({ page, product }) => {
        const line = await withConnectionSwitch(page);
        await product.publish('orders', { orderId: 1, total: 120 });
        await openMessage(page, /Processed/);
        await expect(detail(page).getByLabel('Message data', { exact: true })).toContainText('"total": 120');
        await line.cut();
        await expect(notice(page, LOST)).toBeVisible();
        await takeAsIs(page, `trouble-disconnected-${colorScheme}`);
        await line.restore();
      });
    });

    test('screens without anything', async ({ page, product }) => {
      await product.rpc('mockApp.setSubscriptions', { subscriptions: [] });
      for (const [title, tab, file] of [
        ['Topics', 'Subscriptions', 'subscriptions'],
        ['Holds', undefined, 'holds'],
        ['Recordings', undefined, 'recordings'],
      ] as const) {
        await go(page, title);
        if (tab !== undefined) await chooseTab(page, tab);
        await take(page, `empty-${file}-${colorScheme}`);
      }
    });

    test('screens that are being loaded', async ({ page }) => {
      const calls = await interceptCalls(page);
      calls.stall.add('view.open');
      await openFresh(page, '/messages');
      await expect(page.getByText('Loading messages')).toBeVisible();
      await takeAsIs(page, `loading-messages-${colorScheme}`);
      calls.release();
    });
  });

  test.describe(`files, ${colorScheme}`, () => {
    test.use({ colorScheme, files: { 'pubsub.yaml': PUBSUB, 'stock.yaml': BROKEN } });

    test('a component that could not be loaded', async ({ page }) => {
      await go(page, 'Components');
      await page.getByRole('option', { name: /^stock/ }).click();
      await take(page, `trouble-component-${colorScheme}`);
    });
  });
}
