// Mistakes of a beginner, each seen on the first screen within seconds, and in the log.
import { openFresh } from './call-interceptor.ts';
import { expect, test } from './fixture.ts';

const KAFKA = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: orderpubsub }
spec:
  type: pubsub.kafka
  version: v1
  metadata: [{ name: brokers, value: 'localhost:9092' }]
`;

test.use({ opensConsole: false });

/** An address where nobody listens: port 1 needs rights that no journey has. */
const CLOSED = '127.0.0.1:1';

test.describe('an address without a scheme and without a listener', () => {
  test.use({ flags: ['--app-url', CLOSED] });

  test('is reported on the first screen and under Apps', async ({ page, open, product, accessible }) => {
    await open(page);
    const text = `Nothing listens at http://${CLOSED}, the address of the app: start the app, or check this address, which --app-url gave.`;
    await expect(page.getByText(text).first()).toBeVisible();
    expect(product.log()).toContain(text);
    await expect(page.getByRole('button', { name: /^App (not reachable|does not answer)/ })).toHaveAttribute(
      'data-state',
      'bad',
    );
    await accessible();
    await page.getByRole('link', { name: 'Open Apps' }).click();
    await expect(page.getByRole('heading', { name: 'Apps', level: 1 })).toBeVisible();
    await openFresh(page, '/settings?s=apps');
    await expect(page.getByRole('list', { name: 'Problems of app' })).toContainText(text);
  });
});

test.describe('a missing broker', () => {
  test.use({ files: { 'pubsub.yaml': KAFKA, 'config.yaml': 'kind: Configuration\n' } });

  test('is reported in the answer, with the flag that needs no broker', async ({ page, open, product }) => {
    const answer = await product.sidecar('/v1.0/publish/orderpubsub/orders', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('pubsub orderpubsub is not ready: unknown type pubsub.kafka/v1');
    await open(page);
    await openFresh(page, '/components');
    await expect(page.getByText('--local-pubsub serves it from memory').first()).toBeVisible();
  });
});

test('a topic with a letter less than the subscription is reported on the first screen', async ({
  page,
  open,
  product,
  accessible,
}) => {
  await product.publish('order', { orderId: 1 });
  await open(page);
  const text =
    'A message was published to order on pubsub, to which nobody subscribes. The app subscribes to orders. If that is a slip, correct one of the two names.';
  await expect(page.getByText(text)).toBeVisible();
  expect(product.log()).toContain(text);
  await accessible();
});
