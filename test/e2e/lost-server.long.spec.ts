// A component whose server is not there yet, comes, goes and comes back: the console names each state, and nobody has to do anything.
import fs from 'node:fs/promises';
import path from 'node:path';
import { RedisServer, whyNoRedis } from '../support/redis-server.ts';
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

const SHOP = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  type: pubsub.in-memory
  version: v1
`;

const onRedis = (host: string): string =>
  SHOP.replace('name: shop', 'name: stock')
    .replace('pubsub.in-memory', 'pubsub.redis')
    .concat(`  metadata:\n    - { name: redisHost, value: "${host}" }\n`);

const missing = whyNoRedis();
let server: RedisServer | undefined;
test.afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test.use({ files: { 'shop.yaml': SHOP } });

test('a component is not initialised until its server runs, lost while it is down, then ready again by itself', async ({
  page,
  folder,
  accessible,
}) => {
  test.skip(missing !== undefined, missing);
  test.setTimeout(120_000);
  const nav = page.getByRole('navigation', { name: 'Main' });
  const redis = await RedisServer.start();
  server = redis;
  await redis.kill();
  await go(page, 'Components');
  await fs.writeFile(path.join(folder, 'stock.yaml'), onRedis(redis.host));
  const stock = page.getByRole('listbox', { name: 'Components' }).getByRole('option', { name: /^stock/ });
  await expect(stock).toContainText('Not ready', { timeout: 15_000 });
  await stock.click();
  const detail = page.getByRole('region', { name: 'Component stock' });
  await expect(detail).toContainText('Cannot reach Redis');
  await expect(detail).toContainText(/Next try\s*\d\d:\d\d:\d\d/);
  await expect(nav.getByRole('link', { name: 'Components, 1 problem' })).toBeVisible();

  await redis.start();
  await expect(stock).toContainText('Ready', { timeout: 40_000 });
  await expect(nav.getByRole('link', { name: 'Components', exact: true })).toBeVisible();

  await redis.kill();
  await expect(stock).toContainText('Connection lost');
  await expect(detail).toContainText(/since \d\d:\d\d:\d\d/);
  await expect(detail).toContainText('Publishes are refused');
  await accessible();
  await go(page, 'Health');
  await expect(page.getByText(/^Component stock: connection lost since \d\d:\d\d:\d\d/)).toBeVisible();
  await expect(page.getByText('stock: the connection is lost').first()).toContainText(
    'not part of this probe',
  );
  await accessible();

  await redis.start();
  await expect(page.getByText(/^Component stock: connection lost/)).toHaveCount(0, { timeout: 20_000 });
});
