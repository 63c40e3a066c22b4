/** Pub/sub components of any type that are served from memory. */
import { expect, test } from 'vitest';
import { componentFolder, componentText } from '../support/component-folder.ts';

const KAFKA = componentText(
  'orders',
  'pubsub.kafka',
  `  metadata:
    - { name: brokers, value: 'broker:9092' }
    - { name: saslPassword, secretKeyRef: { name: kafka, key: password } }
    - { name: publishingScopes, value: 'checkout=orders' }
auth: { secretStore: nowhere }
scopes: [checkout]
`,
);

test('the reason of an unknown pub/sub type names --local-pubsub', async () => {
  const { component } = await componentFolder({ 'a.yaml': KAFKA });
  expect((await component('orders'))?.failed).toMatch(
    /unknown type pubsub\.kafka\/v1; known types: .*; --local-pubsub serves it from memory/,
  );
  const binding = await componentFolder({ 'a.yaml': componentText('b', 'bindings.kafka') });
  expect((await binding.component('b'))?.failed).not.toMatch(/local-pubsub/);
});

test('with --local-pubsub a component is in memory with its own name, scopes and topic rules, without its secrets', async () => {
  const { source, component } = await componentFolder({ 'a.yaml': KAFKA }, { localPubsub: true });
  const spec = await component('orders');
  expect(spec).toMatchObject({
    name: 'orders',
    type: 'pubsub.in-memory',
    insteadOf: 'pubsub.kafka',
    scopes: ['checkout'],
    metadata: { publishingScopes: 'checkout=orders' },
    problems: [],
  });
  expect(spec).not.toHaveProperty('failed');
  expect(spec === undefined ? undefined : source.build(spec)?.kind).toBe('pubsub');
});

test('with --local-pubsub bindings, secret stores and in-memory components stay as they are', async () => {
  const { source } = await componentFolder(
    {
      'a.yaml': componentText('plain'),
      'b.yaml': componentText(
        'tick',
        'bindings.cron',
        "  metadata: [{ name: schedule, value: '@every 1h' }]\n",
      ),
      'c.yaml': componentText('store', 'secretstores.local.env'),
    },
    { localPubsub: true },
  );
  const { components } = await source.load();
  expect(components.map(({ name, type, insteadOf }) => [name, type, insteadOf])).toEqual([
    ['store', 'secretstores.local.env', undefined],
    ['plain', 'pubsub.in-memory', undefined],
    ['tick', 'bindings.cron', undefined],
  ]);
});
