/** A route is explained with the event as each subscription reads it, and comes to the path that a delivery takes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';

const RULES = [
  { match: 'event.type == "a"', path: '/a' },
  { match: 'has(event.data_base64)', path: '/bytes' },
];

test('rules of a raw subscription are explained for the wrapper of the bytes', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, {
      topic: 'orders',
      routes: { rules: RULES, default: '/all' },
      metadata: { rawPayload: 'true' },
    }),
  );
  const id = await stand.publish('orders', { type: 'a' });
  await stand.settle();
  const { envelope, deliveries } = await stand.message(id);
  expect(deliveries[0]?.route.path).toBe('/bytes');
  const [told] = await stand.runtime.topology.explain({
    pubsubname: 'pubsub',
    topic: 'orders',
    event: envelope,
  });
  expect(told).toMatchObject({ raw: true, path: '/bytes' });
  expect(told?.rules.map(({ value }) => value)).toEqual(['false', 'true']);
});

test('the subscription and the explanation say how a value without quotes was read', async () => {
  const rules = [
    { match: 'event.type == order:created', path: '/created' },
    { match: 'event.type == "order"', path: '/order' },
  ];
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', routes: { rules } }));
  const reading = 'compares event.type with the text order:created';
  expect(stand.runtime.topology.subscriptions()[0]?.rules).toEqual([{ ...rules[0], reading }, rules[1]]);
  const asked = { pubsubname: 'pubsub', topic: 'orders' };
  const [told] = await stand.runtime.topology.explain({ ...asked, event: { type: 'order:created' } });
  expect(told).toMatchObject({ path: '/created', rules: [{ reading, value: 'true' }, {}] });
  expect(told?.rules[1]).not.toHaveProperty('reading');
  const [unread] = await stand.runtime.topology.explain({ ...asked, event: 'no event' });
  expect(unread?.rules[0]).toMatchObject({ reading, value: 'not looked at' });
  const id = await stand.publish('orders', 'x', { metadata: { 'cloudevent.type': 'order:created' } });
  expect((await stand.delivery(id)).route.path).toBe('/created');
});

test('an event that a normal subscription cannot read is not matched against its rules', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', routes: { rules: RULES, default: '/all' } }),
  );
  const id = await stand.publish('orders', 'no event', { metadata: { rawPayload: 'true' } });
  await stand.settle();
  const { data, deliveries } = await stand.message(id);
  expect(deliveries[0]?.state).toBe('parked');
  const [told] = await stand.runtime.topology.explain({ pubsubname: 'pubsub', topic: 'orders', event: data });
  expect(told).toEqual({
    appId: 'app',
    pubsubname: 'pubsub',
    topic: 'orders',
    source: 'programmatic',
    raw: false,
    bulk: false,
    rules: RULES.map(({ match, path }, index) => ({
      index,
      match,
      path,
      value: 'not looked at',
      chosen: false,
    })),
    default: { path: '/all', chosen: false },
    unreadable: 'it is not JSON, and the subscription does not accept raw payloads',
  });
});

test('many subscriptions whose rules cost much are explained in turns, and everything else is served in between', async () => {
  const dear = 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))';
  const subscriptions = Array.from({ length: 20 }, (_, n) => ({
    topic: `${'orders'.repeat(4).slice(0, n + 1)}*`,
    routes: { rules: [{ match: dear, path: '/dear' }], default: '/all' },
  }));
  const stand = await started({}, (it) => subscribe(it, ...subscriptions));
  const items = Array.from({ length: 1000 }, (_, n) => ({ sku: `s${n}` }));
  let isReported = false;
  const asked = { pubsubname: 'pubsub', topic: 'orders'.repeat(4), event: { data: { items } } };
  const told = stand.runtime.topology.explain(asked).finally(() => (isReported = true));
  await stand.settle();
  expect(isReported).toBe(false);
  await stand.pass(100);
  const values = (await told).map(({ rules }) => rules[0]?.value);
  expect(values).toEqual(subscriptions.map(() => 'error'));
});

test('an event that is given as a value is not read again', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', routes: { rules: RULES, default: '/all' } }),
  );
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const asked = { pubsubname: 'pubsub', topic: 'orders' };
  const [told] = await stand.runtime.topology.explain({ ...asked, event: { type: 'a' } });
  expect(told?.path).toBe('/a');
  expect(parse).not.toHaveBeenCalled();
});
