// The pictures of docs/screens: every screen with sample traffic, light and dark.
import { take } from './take.ts';
import { chooseTab, detail, go, messages, openMessage, rows } from '../console-page.ts';
import { expect, type Product, test } from '../fixture.ts';

// One test takes up to a dozen pictures.
test.setTimeout(180_000);

/** Sample traffic, until nothing of it moves by itself any more. */
async function prepare(product: Product): Promise<void> {
  await product.rpc('samples.add', {});
  await product.when('all nine states', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    const missing = Object.values(counts).some((count) => count === 0);
    return missing || counts['dead-lettered'] < 2 ? undefined : counts;
  });
}

const SCREENS = [
  { title: 'Topics', file: 'topics' },
  { title: 'Holds', file: 'holds' },
  { title: 'Components', file: 'components' },
  { title: 'Apps', file: 'apps' },
  { title: 'Health', file: 'health' },
  { title: 'Event router', file: 'event-router' },
  { title: 'Recordings', file: 'recordings' },
  { title: 'Logs', file: 'logs' },
  { title: 'Settings', file: 'settings' },
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('first run', async ({ page }) => {
      await expect(page.getByText('Nothing has been published yet')).toBeVisible();
      // The address field and the small apps come a moment after the rest.
      await expect(page.getByRole('button', { name: 'Deliver to this address' })).toBeVisible();
      await expect(page.getByRole('tab', { name: 'Node' })).toBeVisible();
      await take(page, `first-run-${colorScheme}`);
    });

    test('messages and their parts', async ({ page, product }) => {
      await prepare(product);
      await openMessage(page, /com\.example\.sample\.recovers, Processed/, 'Attempts');
      await expect(detail(page).getByRole('article')).toHaveCount(3);
      await take(page, `messages-${colorScheme}`);
      for (const tab of ['Data', 'Envelope', 'Route', 'Timeline'] as const) {
        await chooseTab(detail(page), tab);
        await take(page, `message-${tab.toLowerCase()}-${colorScheme}`);
      }
    });

    test('publish', async ({ page, product }) => {
      await prepare(product);
      await go(page, 'Publish');
      await page.getByRole('combobox', { name: 'Topic' }).fill('orders');
      await page.getByRole('textbox', { name: 'Message data' }).fill('{"orderId": 1, "total": 120}');
      await page.getByRole('form').getByRole('button', { name: 'Publish' }).click();
      await expect(page.getByText('Message delivered.')).toBeVisible();
      await take(page, `publish-${colorScheme}`);
      await chooseTab(page, 'Bulk');
      const form = page.getByRole('form', { name: 'Publish in bulk' });
      await form.getByRole('combobox', { name: 'Topic' }).fill('orders');
      await form.getByRole('button', { name: 'Paste…' }).click();
      const lines = [1, 2, 3, 4].map((orderId) => JSON.stringify({ orderId, total: 20 * orderId }));
      await page.getByRole('textbox', { name: 'Entries' }).fill(lines.join('\n'));
      await page.getByRole('button', { name: 'Add entries' }).click();
      await form.getByRole('button', { name: 'Publish 4 entries' }).click();
      await expect(page.getByText('4 of 4 published')).toBeVisible();
      await take(page, `publish-bulk-${colorScheme}`);
    });

    test('the event router', async ({ page, product }) => {
      const { component } = await product.rpc('eventRouter.create', {});
      await product.when('the example is ready', async () => {
        const { components } = await product.rpc('eventRouter.status', { component });
        return components[0]?.input?.state === 'ready' ? true : undefined;
      });
      for (const n of [1, 2, 3])
        await product.rpc('eventRouter.create', {
          component,
          type: 'com.example.created',
          subject: `/orders/${n}`,
          data: { orderId: n },
        });
      // A connection that is open already carries its request to the end, whatever is broken meanwhile.
      await product.when('all of them delivered', async () => {
        const { items } = await product.rpc('eventRouter.deliveries', { component, states: ['processed'] });
        return items.length === 3 ? true : undefined;
      });
      await product.rpc('eventRouter.faults', { ingress: 'self-signed' });
      await product.rpc('eventRouter.create', {
        component,
        type: 'com.example.changed',
        data: { orderId: 1 },
      });
      await go(page, 'Event router');
      for (const tab of ['Input', 'Output', 'Emulator'] as const) {
        await chooseTab(page, tab);
        if (tab === 'Emulator') await expect(page.getByText(/SocketError EVR-TLS-02/).first()).toBeVisible();
        await take(page, `event-router-${tab.toLowerCase()}-${colorScheme}`);
      }
    });

    test('the mock app', async ({ page, product }) => {
      await product.rpc('mockApp.setRules', {
        rules: [
          {
            name: 'ask me',
            enabled: true,
            match: { topic: 'orders', eventType: 'ask' },
            answer: { kind: 'ask' },
          },
        ],
      });
      await product.publish('orders', { orderId: 1 }, '?metadata.cloudevent.type=ask');
      await prepare(product);
      await go(page, 'Mock app');
      await expect(page.getByRole('list', { name: 'Waiting for your answer' })).toBeVisible();
      await take(page, `mock-app-${colorScheme}`);
      await chooseTab(page, 'Subscriptions');
      await take(page, `mock-app-subscriptions-${colorScheme}`);
      await chooseTab(page, 'Requests');
      await take(page, `mock-app-requests-${colorScheme}`);
    });

    test('all other screens', async ({ page, product }) => {
      await prepare(product);
      for (const { title, file } of SCREENS) {
        await go(page, title);
        await take(page, `${file}-${colorScheme}`);
      }
      await go(page, 'Topics');
      await chooseTab(page, 'Subscriptions');
      await take(page, `subscriptions-${colorScheme}`);
      await chooseTab(page, 'Graph');
      await expect(page.getByRole('group', { name: 'Topology' }).getByRole('button').first()).toBeVisible();
      await take(page, `graph-${colorScheme}`);
      await go(page, 'Health');
      await chooseTab(page, 'Metrics');
      await expect(page.getByRole('figure', { name: 'Queue depth' })).toBeVisible();
      await take(page, `metrics-${colorScheme}`);
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
      await take(page, `palette-${colorScheme}`);
    });
  });
}

const ROUTER_WITHOUT = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: my-router
spec:
  type: bindings.cloud.eventrouter
  version: v1
  metadata:
    - name: handshakePort
      value: 9000
`;
const PUBSUB = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
`;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`files, ${colorScheme}`, () => {
    test.use({ colorScheme, files: { 'pubsub.yaml': PUBSUB, 'router.yaml': ROUTER_WITHOUT } });

    test('a component file with mistakes', async ({ page }) => {
      await go(page, 'Components');
      await page.getByRole('button', { name: 'Edit router.yaml' }).first().click();
      await expect(page.getByText('Problems 7')).toBeVisible();
      await take(page, `component-file-${colorScheme}`);
    });
  });
}

test.describe('narrow', () => {
  test.use({ viewport: { width: 700, height: 900 } });

  test('messages', async ({ page, product }) => {
    await prepare(product);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', /1\d/);
    await take(page, 'messages-narrow');
    await rows(page, /recovers/).click();
    await chooseTab(detail(page), 'Attempts');
    await take(page, 'message-narrow');
  });

  test('other screens', async ({ page, product }) => {
    await prepare(product);
    await go(page, 'Topics');
    await take(page, 'topics-narrow');
    await go(page, 'Publish');
    await take(page, 'publish-narrow');
    await go(page, 'Health');
    await chooseTab(page, 'Metrics');
    await expect(page.getByRole('figure', { name: 'Queue depth' })).toBeVisible();
    await take(page, 'metrics-narrow');
  });
});
