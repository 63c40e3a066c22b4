/** Deliveries that keep the route of a subscription which the app has no longer: said when it happens, counted, gone when they end. */
import { expect, onTestFinished, test } from 'vitest';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import { appBanners } from '../../core/host/app-banners.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { ScriptedApp } from '../support/scripted-app.ts';

const RETRIES = { maxAttempts: 1, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 };
const OPEN = 'state:queued,held,attempting,retrying,parked';

function problems(stand: Stand): readonly { readonly code?: string; readonly message: string }[] {
  return stand.runtime.topology
    .apps()
    .flatMap((app) => app.problems)
    .filter(({ code }) => code === 'old-route' || code === 'old-subscription');
}

/** A stand with deliveries that are parked under the route /orders. */
async function parked(n: number): Promise<{ stand: Stand; ids: readonly string[] }> {
  const stand = await started();
  stand.set('delivery.retry', RETRIES);
  stand.app.answerWith = () => 500;
  const ids: string[] = [];
  for (let i = 0; i < n; i += 1) ids.push(await stand.publish('orders'));
  expect(await stand.states(ids[0] ?? '')).toEqual(['parked']);
  return { stand, ids };
}

async function subscribesNow(stand: Stand, ...subscriptions: readonly object[]): Promise<void> {
  subscribe(stand, ...subscriptions);
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
}

test('says how many deliveries keep the old route, where the app takes the topic now, and what helps', async () => {
  const { stand } = await parked(2);
  expect(problems(stand)).toEqual([]);
  await subscribesNow(stand, { topic: 'orders', route: '/api/orders' });
  const message =
    'Reroute or drop 2 deliveries of topic orders (pubsub): they keep the route /orders of an earlier subscription. The app now takes this topic at /api/orders.';
  const filter = `app:app pubsub:pubsub topic:orders route:/orders ${OPEN}`;
  const deliveries = { appId: 'app', pubsubname: 'pubsub', topic: 'orders', path: '/orders' };
  const pathsNow = 'at /api/orders';
  expect(problems(stand)).toEqual([
    { code: 'old-route', severity: 'warning', message, filter, deliveries, pathsNow },
  ]);
  expect(appBanners(() => stand.runtime.topology.problems())()).toMatchObject([{ text: message, filter }]);
  expect(stand.logged('warn')).toContain(message);
});

test('is counted while they end, and gone with the last one', async () => {
  const { stand, ids } = await parked(2);
  await subscribesNow(stand, { topic: 'orders', route: '/api/orders' });
  const [first = '', second = ''] = ids;
  await stand.runtime.deliveryActions.drop({ messageId: first });
  await stand.pass(1000);
  expect(problems(stand)).toMatchObject([
    { message: expect.stringMatching(/^Reroute or drop 1 delivery .* it keeps the route/) as string },
  ]);
  const before = stand.events.filter(({ type }) => type === 'topology.changed').length;
  await stand.runtime.deliveryActions.drop({ messageId: second });
  await stand.pass(1000);
  expect(problems(stand)).toEqual([]);
  expect(stand.events.filter(({ type }) => type === 'topology.changed').length).toBeGreaterThan(before);
});

test('a topic that the app no longer subscribes to is said, with what helps then', async () => {
  const { stand } = await parked(1);
  await subscribesNow(stand, { topic: 'letters', route: '/letters' });
  expect(problems(stand)).toMatchObject([
    {
      code: 'old-subscription',
      message:
        'Subscribe the app to topic orders (pubsub) at /orders, or drop 1 delivery: it keeps this route of an earlier subscription, which the app no longer has.',
    },
  ]);
});

test('the mock app is named where its subscription made the delivery', async () => {
  const mock = await openMockApp();
  onTestFinished(() => mock.close());
  const stand = await started();
  stand.set('delivery.retry', RETRIES);
  const channel = new ScriptedApp(stand.clock, mock.url);
  channel.subscriptions = [{ pubsubname: 'pubsub', topic: 'letters', route: '/letters' }];
  channel.answerWith = () => 500;
  await stand.runtime.membership.enter({ appId: 'late', channel, mock, added: true }, async () => undefined);
  await stand.settle();
  await stand.publish('letters');
  channel.url = 'http://app.test:7001';
  channel.subscriptions = [{ pubsubname: 'pubsub', topic: 'letters', route: '/api/letters' }];
  await stand.runtime.rediscovery.ask('late');
  await stand.settle();
  expect(problems(stand)).toMatchObject([
    {
      message:
        "Reroute or drop 1 delivery of topic letters (pubsub): it keeps the route /letters of the mock app's subscription. App late now takes this topic at /api/letters.",
    },
  ]);
  // A later list of the own app: what came between is its own.
  channel.answerWith = () => 500;
  await stand.publish('letters');
  channel.subscriptions = [{ pubsubname: 'pubsub', topic: 'letters', route: '/v2/letters' }];
  await stand.runtime.rediscovery.ask('late');
  await stand.settle();
  expect(problems(stand)).toMatchObject([
    { message: expect.stringContaining("the route /letters of the mock app's subscription") as string },
    { message: expect.stringContaining('the route /api/letters of an earlier subscription') as string },
  ]);
});

test('a subscription that still has the route among its rules leaves nothing behind', async () => {
  const { stand } = await parked(1);
  await subscribesNow(stand, {
    topic: 'orders',
    routes: { rules: [{ match: 'event.type == "x"', path: '/orders' }], default: '/other' },
  });
  expect(problems(stand)).toEqual([]);
});

test('an app that takes its old subscriptions back ends the problem', async () => {
  const { stand } = await parked(1);
  await subscribesNow(stand, { topic: 'orders', route: '/api/orders' });
  await subscribesNow(stand, { topic: 'orders', route: '/orders' });
  expect(problems(stand)).toEqual([]);
});

/** A file that subscribes to orders, by default at a route. */
function fileWith(route?: string): object {
  return {
    apiVersion: 'sidecar.io/v2alpha1',
    kind: 'Subscription',
    metadata: { name: 'orders' },
    spec: { pubsubname: 'pubsub', topic: 'orders', routes: route === undefined ? {} : { default: route } },
  };
}

/** A stand with a delivery that is parked under the route /orders of a file. */
async function parkedByFile(): Promise<Stand> {
  const stand = await started({}, (it) => void (it.components.subscriptions = [fileWith('/orders')]));
  stand.set('delivery.retry', RETRIES);
  stand.app.answerWith = () => 500;
  await stand.publish('orders');
  return stand;
}

async function filesNow(stand: Stand, ...files: readonly object[]): Promise<void> {
  stand.components.subscriptions = [...files];
  await stand.runtime.resources.reload();
}

test('a file that gives a topic another route is noticed when it is loaded, and so is its way back', async () => {
  const stand = await parkedByFile();
  await filesNow(stand, fileWith('/api/orders'));
  const message =
    'Reroute or drop 1 delivery of topic orders (pubsub): it keeps the route /orders of an earlier subscription. The app now takes this topic at /api/orders.';
  expect(problems(stand)).toMatchObject([{ code: 'old-route', message }]);
  expect(stand.logged('warn').filter((line) => line === message)).toHaveLength(1);
  await filesNow(stand, fileWith('/orders'));
  expect(problems(stand)).toEqual([]);
});

test('a subscription that has no route now is no place to send anything to', async () => {
  const stand = await parkedByFile();
  await filesNow(stand, fileWith());
  expect(problems(stand)).toMatchObject([
    {
      code: 'old-subscription',
      message:
        'Give the subscription of the app to topic orders (pubsub) the route /orders, or drop 1 delivery: it keeps this route of an earlier subscription, which the app no longer has.',
    },
  ]);
});

test('a stream has no route, and takes no delivery of the subscription before it', async () => {
  const stand = await parkedByFile();
  const sidecar = stand.runtime.sidecar('app');
  const channel = new StreamChannel({ peer: '127.0.0.1:1', send: () => undefined, turns: sidecar.turns });
  channel.begin();
  onTestFinished(() => channel.end());
  await sidecar.openStream({ pubsubname: 'pubsub', topic: 'orders', metadata: {}, channel });
  await filesNow(stand);
  expect(problems(stand)).toMatchObject([
    {
      code: 'old-subscription',
      message:
        'Subscribe the app to topic orders (pubsub) at /orders beside its stream, or drop 1 delivery: it keeps this route of an earlier subscription, which the app no longer has.',
    },
  ]);
});

test('over gRPC a subscription may have one handler for all events', async () => {
  const stand = await started({}, (it) => {
    it.app.protocol = 'grpc';
    it.app.subscriptions = [{ pubsub_name: 'pubsub', topic: 'orders', routes: { default: '/orders' } }];
  });
  stand.set('delivery.retry', RETRIES);
  stand.app.answerWith = () => 13;
  await stand.publish('orders');
  stand.app.subscriptions = [{ pubsub_name: 'pubsub', topic: 'orders' }];
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
  expect(problems(stand)).toMatchObject([
    {
      code: 'old-route',
      message: expect.stringContaining('The app now takes this topic without a route.') as string,
    },
  ]);
});

test('a retry by hand that is answered 404 at its old route says that rerouting helps', async () => {
  const { stand, ids } = await parked(1);
  await subscribesNow(stand, { topic: 'orders', route: '/api/orders' });
  stand.app.answerWith = () => 404;
  await stand.runtime.deliveryActions.retry({ messageId: ids[0] ?? '' });
  await stand.pass(1000);
  expect(stand.runtime.topology.apps()[0]?.problems).toMatchObject([
    {
      code: 'missing-route',
      message:
        'The app answers 404 at /orders, the route of an earlier subscription to orders of pubsub. 1 message was dropped. Reroute what was dropped to send it by the current subscriptions.',
    },
  ]);
});
