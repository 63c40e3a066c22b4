/** Secrets of components and tokens: nowhere in the console, the logs or an export, also when a component fails with them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProductStand } from './product.ts';

const SECRETS = {
  plain: 'plain-hunter2-password',
  address: 'address-hunter2-password',
  token: 'nats-hunter2-token',
  seed: `SU${'HUNTER2'.repeat(8)}`,
  env: 'env-hunter2-value',
  store: 'store-hunter2-value',
  api: 'api-hunter2-token',
  app: 'app-hunter2-token',
  router: 'router-hunter2-access-key',
  client: 'router-hunter2-client-secret',
  web: 'web-hunter2-password',
} as const;

const component = (name: string, type: string, metadata: string): string => `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: ${name}
spec:
  type: ${type}
  version: v1
  metadata:
${metadata}auth:
  secretStore: store
`;

const stand = new ProductStand(
  async (folder) => {
    const resources = join(folder, 'resources');
    await mkdir(resources);
    await writeFile(join(folder, 'secrets.json'), JSON.stringify({ redis: SECRETS.store }));
    const documents = [
      component('pubsub', 'pubsub.in-memory', `    - { name: apiKey, value: "${SECRETS.plain}" }\n`),
      component(
        'store',
        'secretstores.local.file',
        `    - { name: secretsFile, value: ${JSON.stringify(join(folder, 'secrets.json'))} }\n`,
      ),
      component(
        'redis-plain',
        'pubsub.redis',
        `    - { name: redisHost, value: "127.0.0.1:1" }\n    - { name: redisPassword, value: "${SECRETS.plain}" }\n`,
      ),
      component(
        'redis-store',
        'pubsub.redis',
        `    - { name: redisHost, value: "127.0.0.1:1" }\n    - { name: redisPassword, secretKeyRef: { name: redis, key: redis } }\n`,
      ),
      component(
        'redis-env',
        'pubsub.redis',
        // In the wrong place on purpose: its complaint would repeat what was found.
        `    - { name: redisHost, value: "127.0.0.1:1" }\n    - { name: queueDepth, envRef: SL_TEST_SECRET }\n`,
      ),
      component(
        'nats-address',
        'pubsub.jetstream',
        `    - { name: natsURL, value: "nats://me:${SECRETS.address}@127.0.0.1:1" }\n`,
      ),
      component(
        'nats-token',
        'pubsub.jetstream',
        `    - { name: natsURL, value: "127.0.0.1:1" }\n    - { name: token, value: "${SECRETS.token}" }\n`,
      ),
      component(
        'nats-seed',
        'pubsub.jetstream',
        `    - { name: natsURL, value: "127.0.0.1:1" }\n    - { name: jwt, value: eyJ }\n    - { name: seedKey, value: "${SECRETS.seed}" }\n`,
      ),
    ];
    documents.push(
      // Complained of when it is started, not when its file is read.
      component('redis-host', 'pubsub.redis', '    - { name: redisHost, envRef: SL_TEST_SECRET }\n'),
      component('cron', 'bindings.cron', '    - { name: schedule, envRef: SL_TEST_SECRET }\n'),
      component(
        'web',
        'bindings.http',
        `    - { name: url, value: "http://me:${SECRETS.web}@127.0.0.1:1/" }\n`,
      ),
      component(
        'router',
        'bindings.cloud.eventrouter',
        `    - { name: accessKey, value: "${SECRETS.router}" }\n    - { name: cloudClientSecret, value: "${SECRETS.client}" }\n`,
      ),
    );
    await writeFile(join(resources, 'all.yaml'), documents.join('---\n'));
    return ['--resources', resources];
  },
  { SL_TEST_SECRET: SECRETS.env, SIDECAR_API_TOKEN: SECRETS.api, APP_API_TOKEN: SECRETS.app },
);

test('secrets are used, and masked wherever something is shown', async () => {
  const { running } = stand;
  const { items } = (await running.call('components.list', {})) as {
    items: readonly { name: string; state: string; reason?: string; metadata: Record<string, string> }[];
  };
  const states = Object.fromEntries(items.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({ pubsub: 'ready', 'redis-plain': 'failed', 'nats-address': 'failed' });
  const shownOf = (name: string): Record<string, string> =>
    items.find((item) => item.name === name)?.metadata ?? {};
  expect(shownOf('redis-plain')['redisPassword']).toBe('***');
  expect(shownOf('redis-store')['redisPassword']).toBe('***');
  expect(shownOf('nats-address')['natsURL']).toBe('nats://***@127.0.0.1:1');
  expect(shownOf('nats-seed')).toMatchObject({ jwt: '***', seedKey: '***' });
  expect(items.find(({ name }) => name === 'redis-env')?.reason).toContain('queueDepth must be');
  expect(items.find(({ name }) => name === 'redis-host')?.reason).toContain('Cannot reach Redis at ***:6379');
  expect(items.find(({ name }) => name === 'cron')?.reason).toContain('schedule "***" is not understood');

  await running.call('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }],
  });
  const answer = await fetch(`${running.sidecar}/v1.0/publish/pubsub/orders`, {
    method: 'POST',
    headers: { 'sidecar-api-token': SECRETS.api, 'content-type': 'application/json' },
    body: '{"n":1}',
  });
  expect(answer.status).toBe(204);
  await expect
    .poll(async () => running.call('messages.list', { filter: 'topic:orders state:processed' }), {
      timeout: 10_000,
    })
    .toMatchObject({ total: 1 });
  const refused = await fetch(`${running.sidecar}/v1.0/publish/pubsub/orders`, {
    method: 'POST',
    body: '{}',
  });
  expect(refused.status).toBe(401);

  const invoked = await fetch(`${running.sidecar}/v1.0/bindings/web`, {
    method: 'POST',
    headers: { 'sidecar-api-token': SECRETS.api },
    body: '{"operation":"get"}',
  });
  expect(invoked.status).toBe(500);
  // A refused publish has a banner, which repeats the address that its client used.
  const misplaced = await fetch(`${running.sidecar}/v1.0/publish/${SECRETS.app}/orders`, {
    method: 'POST',
    headers: { 'sidecar-api-token': SECRETS.api },
    body: '{}',
  });
  expect(misplaced.status).toBe(404);
  expect(await running.call('system.describe', {})).toMatchObject({
    banners: expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining('/v1.0/publish/***/orders') }),
    ]),
  });
  // The banner cuts a long address, here within the secret.
  const before = '/v1.0/publish/'.padEnd(200 - SECRETS.app.length + 2, 'x');
  await fetch(`${running.sidecar}${before}${SECRETS.app}/orders`, {
    method: 'POST',
    headers: { 'sidecar-api-token': SECRETS.api },
    body: '{}',
  });
  expect(await running.call('system.describe', {})).toMatchObject({
    banners: expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining(`${before}***…`) }),
    ]),
  });
  // Problems of a file before it is saved.
  const text = await readFile(join(stand.folder, 'resources', 'all.yaml'), 'utf8');
  const problems = JSON.stringify(await running.call('components.validate', { file: 'all.yaml', text }));

  const shown = (await stand.shown()) + problems + (await invoked.text());
  for (const secret of Object.values(SECRETS)) expect(shown).not.toContain(secret);
  // The test would see them: their neighbours are there.
  expect(shown).toContain('redis-plain');
  expect(running.lines.join('\n')).toContain('could not be initialised');
});
