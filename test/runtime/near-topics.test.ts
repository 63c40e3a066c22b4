/** Messages of a topic that nobody subscribes to, beside a subscription to nearly this name: said once, and gone with the slip. */
import { expect, test } from 'vitest';
import { isNearTopic } from '../../core/contract/near-topic.ts';
import { appBanners } from '../../core/host/app-banners.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const TEXT =
  'A message was published to order on pubsub, to which nobody subscribes. The app subscribes to orders. If that is a slip, correct one of the two names.';
const QUIET_MS = 10 * 60_000;

function banners(stand: Stand): readonly string[] {
  return appBanners(() => stand.runtime.topology.problems())().map(({ text }) => text);
}

function saidIn(stand: Stand): readonly string[] {
  return stand.logged('warn').filter((text) => text.startsWith('A message was published to '));
}

/** Topics of the copies on dead-letter topics. */
function copiesOf(stand: Stand): readonly string[] {
  const rows = stand.events.flatMap((event) => (event.type === 'message.added' ? [event.row] : []));
  return [...new Set(rows.flatMap(({ topic, deadLetterOf }) => (deadLetterOf === undefined ? [] : [topic])))];
}

async function subscribesNow(stand: Stand, ...topics: readonly string[]): Promise<void> {
  subscribe(stand, ...topics.map((topic) => ({ topic, route: '/at' })));
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
}

test('is one line of the log and one banner, however many messages come', async () => {
  const stand = await started();
  await stand.publish('orders');
  expect(banners(stand)).toEqual([]);
  for (let n = 0; n < 3; n += 1) await stand.publish('order');
  expect(saidIn(stand)).toEqual([TEXT]);
  expect(appBanners(() => stand.runtime.topology.problems())()).toEqual([
    {
      id: 'app-1',
      text: TEXT,
      level: 'warn',
      appId: 'app',
      filter: 'pubsub:pubsub topic:order state:none',
    },
  ]);
  await stand.publish('ORDERS');
  expect(banners(stand)).toHaveLength(2);
  expect(saidIn(stand)).toHaveLength(2);
});

test('counts for an entry of a batch, and for a message that waited for the first discovery', async () => {
  const stand = await started();
  await stand.runtime.sidecar('app').publishBulk({
    pubsubname: 'pubsub',
    topic: 'order',
    body: JSON.stringify([{ entryId: '1', event: 'x', contentType: 'text/plain' }]),
    metadata: {},
    source: 'bulk',
  });
  await stand.settle();
  expect(saidIn(stand)).toEqual([TEXT]);

  const late = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.app.isOpen = false;
  });
  await late.publish('order');
  expect(saidIn(late)).toEqual([]);
  late.app.isOpen = true;
  await late.pass(1000);
  expect(saidIn(late)).toEqual([TEXT]);
});

test('ends when somebody subscribes to the topic, and when the near subscription goes', async () => {
  const stand = await started();
  await stand.publish('order');
  await subscribesNow(stand, 'orders', 'order');
  expect(banners(stand)).toEqual([]);
  await subscribesNow(stand, 'orders');
  expect(banners(stand)).toEqual([]);
  await stand.publish('order');
  expect(banners(stand)).toEqual([TEXT]);
  await subscribesNow(stand, 'shipped');
  expect(banners(stand)).toEqual([]);
});

test('ends when no such message came for ten minutes, and the next one is news again', async () => {
  const stand = await started();
  await stand.publish('order');
  await stand.pass(QUIET_MS - 1);
  await stand.publish('order');
  await stand.pass(QUIET_MS - 1);
  expect(banners(stand)).toEqual([TEXT]);
  await stand.pass(1);
  expect(banners(stand)).toEqual([]);
  await stand.publish('order');
  expect(banners(stand)).toEqual([TEXT]);
  expect(saidIn(stand)).toEqual([TEXT, TEXT]);
});

test('a dead-letter copy and a message that a hold keeps are no slip', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'order' }),
  );
  stand.app.answerWith = () => ({ status: 200, body: '{"status":"DROP"}' });
  await stand.publish('orders');
  await stand.pass(1000);
  expect(copiesOf(stand)).toEqual(['order']);
  await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders-' });
  await stand.publish('orders-');
  expect(saidIn(stand)).toEqual([]);
});

test('the words of a bulk publish in the wrong order are named with the right path, until somebody subscribes', async () => {
  const stand = await started();
  const text =
    'A message was published to orders/bulk on pubsub, to which nobody subscribes. Did you mean POST /v1.0/publish/bulk/pubsub/orders?';
  for (let n = 0; n < 3; n += 1) await stand.publish('orders/bulk');
  expect(banners(stand)).toEqual([text]);
  expect(saidIn(stand)).toEqual([text]);
  await subscribesNow(stand, 'orders', 'refunds');
  expect(banners(stand)).toEqual([text]);
  await subscribesNow(stand, 'orders', 'orders/bulk');
  expect(banners(stand)).toEqual([]);
  await stand.publish('orders/bulk');
  await stand.publish('/bulk');
  await stand.runtime.publishByHand.one({
    appId: 'app',
    pubsubname: 'pubsub',
    topic: 'refunds/bulk',
    body: '1',
    metadata: {},
  });
  await stand.settle();
  expect(saidIn(stand)).toEqual([text]);
});

test('such a topic of a person or over gRPC does not hide that of a path', async () => {
  const stand = await started();
  const sent = { pubsubname: 'pubsub', topic: 'orders/bulk', body: '1', metadata: {} } as const;
  await stand.runtime.publishByHand.one({ appId: 'app', ...sent });
  await stand.runtime.sidecar('app').publish({ ...sent, source: 'grpc' });
  await stand.settle();
  expect(saidIn(stand)).toEqual([]);
  await stand.publish('orders/bulk');
  expect(saidIn(stand)).toHaveLength(1);
});

test('another name is no slip', async () => {
  const stand = await started();
  for (const topic of ['invoices', 'orders2', 'ordering', 'or']) await stand.publish(topic);
  expect(saidIn(stand)).toEqual([]);
});

test.each([
  ['orders', 'order'],
  ['Orders', 'orders'],
  ['new-orders', 'new_orders'],
  ['new.orders', 'neworders'],
  ['orders', ' orders'],
  ['orders', 'orderz'],
  ['orders', 'odrers'],
  ['orders', 'orderrs'],
  ['shop.invoices', 'shop.inoices'],
  ['orders2', 'oreders2'],
])('%j may be a slip of %j', (one, other) => {
  expect(isNearTopic(one, other)).toBe(true);
  expect(isNearTopic(other, one)).toBe(true);
});

test.each([
  ['orders', 'orders'],
  ['orders', 'orders-dead'],
  ['orders1', 'orders2'],
  ['orders', 'orders2'],
  ['a', 'ab'],
  ['cart', 'card'],
  ['team-a.orders', 'team-b.orders'],
  ['orders', 'order1'],
  ['orders', 'ordxrz'],
  ['new-orders', 'bew-orderz'],
  ['payment.failed', 'payment.mailed'],
  ['orders', 'borders'],
  ['home/light', 'home/right'],
  ['batch', 'match'],
])('%j is no slip of %j', (one, other) => {
  expect(isNearTopic(one, other)).toBe(false);
});

test('keeps the newest twenty', async () => {
  const names = 'abcdefghijklmnopqrstu'.split('').map((letter) => letter.repeat(3));
  const stand = await started({}, (it) => subscribe(it, ...names.map((topic) => ({ topic, route: '/at' }))));
  for (const name of names) await stand.publish(name.toUpperCase());
  expect(saidIn(stand)).toHaveLength(names.length);
  expect(banners(stand)).toHaveLength(20);
  expect(banners(stand)[0]).toMatch(/published to BBB /);
});
