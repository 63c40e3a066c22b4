// A publish that the sidecar refuses: the banner says what was wrong and what to do, counts, and ends when it is fixed or closed.
import { openClient } from '../support/grpc-client.ts';
import { expect, test } from './fixture.ts';

test('a publish to a component that does not exist is seen at once, counted, and gone when it is fixed', async ({
  page,
  product,
  accessible,
}) => {
  const sidecar = product.ready.apps[0]?.sidecar ?? '';
  const publish = async (place: string): Promise<number> =>
    (await fetch(`${sidecar}/v1.0/publish/${place}`, { method: 'POST', body: '{}' })).status;
  const banner = page.getByText('pubsub pubsu is not found');
  expect(await publish('pubsu/orders')).toBe(404);
  await expect(banner).toContainText(
    'A caller: POST /v1.0/publish/pubsu/orders was refused (404 ERR_PUBSUB_NOT_FOUND): pubsub pubsu is not found. Name one that is loaded (pubsub), or add its file',
  );
  await accessible();
  await publish('pubsu/stock');
  await publish('pubsu/orders');
  // The number follows with the next line of the log, ten seconds later at most.
  await expect(banner).toContainText('3 times', { timeout: 15_000 });
  await expect(banner).toHaveCount(1);
  // An accepted publish ends the banner once there was no refused one for three seconds.
  await expect
    .poll(
      async () => {
        expect(await publish('pubsub/orders')).toBe(204);
        return banner.count();
      },
      { timeout: 15_000 },
    )
    .toBe(0);
});

test('a closed banner of a refused publish stays closed, and another mistake has its own', async ({
  page,
  product,
}) => {
  const sidecar = product.ready.apps[0]?.sidecar ?? '';
  const post = (path: string): Promise<Response> => fetch(sidecar + path, { method: 'POST', body: '{}' });
  await post('/v1.0/publish/pubsu/orders');
  const banner = page.getByText('pubsub pubsu is not found');
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toHaveCount(0);
  await post('/v1.0/publish/pubsu/orders');
  await post('/publish/pubsub/orders');
  await expect(
    page.getByText('POST /publish/pubsub/orders was refused (404 ERR_DIRECT_INVOKE)'),
  ).toContainText('The path of a publish is /v1.0/publish/COMPONENT/TOPIC');
  await expect(banner).toHaveCount(0);
});

test('a publish over gRPC that is refused is seen with the name of its call', async ({ page, product }) => {
  const client = await openClient(product.ready.apps[0]?.grpc ?? '');
  try {
    const { publishEventRequest, empty } = client.protocol;
    const message = {
      pubsub_name: 'pubsu',
      topic: 'orders',
      data: Buffer.from('{}'),
      data_content_type: 'application/json',
      metadata: {},
    };
    await client.call('PublishEvent', publishEventRequest, message, empty);
  } finally {
    client.close();
  }
  await expect(page.getByText('pubsub pubsu is not found')).toContainText(
    'PublishEvent pubsu/orders was refused (INVALID_ARGUMENT ERR_PUBSUB_NOT_FOUND)',
  );
});
