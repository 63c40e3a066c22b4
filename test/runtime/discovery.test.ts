/** Discovery of an app's subscriptions: when it is asked, what its answers mean, what waits for it, and what files add. */
import { describe, expect, test, vi } from 'vitest';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const ORDERS = { topic: 'orders', route: '/orders' };

function topicsOf(stand: Stand): (readonly [string, string])[] {
  return stand.runtime.topology.subscriptions().map(({ topic, state }) => [topic, state]);
}

/** Lines of the log on the list of the app as a whole, each with its level. */
function saidOfLists(stand: Stand): readonly string[] {
  return stand.lines
    .filter(({ text }) => /reported its subscriptions|is fixed/.test(text))
    .map(({ level, text }) => `${level}: ${text}`);
}

describe('the first discovery', () => {
  test('asks once the port is open, with the app id and the token', async () => {
    const stand = await started({ appApiToken: 'secret' }, (it) => {
      subscribe(it, ORDERS);
      it.app.isOpen = false;
    });
    await stand.pass(1000);
    expect(stand.app.asked).toEqual([]);
    expect(stand.runtime.health.of().healthz.healthy).toBe(false);
    expect(stand.runtime.health.of().outbound.healthy).toBe(true);
    const told = () => stand.runtime.status().health;
    const listed = () => stand.runtime.topology.apps();
    for (const each of [told, listed]) expect(each()).toMatchObject([{ healthy: false, waitsForApp: true }]);
    stand.runtime.simulation.health('app', false);
    for (const each of [told, listed]) expect(each()[0]).not.toHaveProperty('waitsForApp');
    stand.runtime.simulation.health('app', null);
    stand.app.isOpen = true;
    await stand.pass(100);
    expect(stand.app.asked).toEqual([
      {
        path: '/sidecar/subscribe',
        headers: {
          'content-type': 'application/json',
          'sidecar-app-id': 'app',
          'sidecar-api-token': 'secret',
        },
      },
    ]);
    expect(stand.runtime.health.of().healthz.healthy).toBe(true);
    expect(stand.runtime.topology.apps()).toMatchObject([
      { channel: 'answering', discovery: { state: 'done', count: 1 } },
    ]);
  });

  test('a change of health has the moment of the change, not of the first look at it', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.isOpen = false;
    });
    const began = stand.clock.now();
    await stand.pass(1000);
    stand.app.isOpen = true;
    await stand.pass(60_000);
    const { changes, healthz } = stand.runtime.health.of();
    const after = (at: string): number => Date.parse(at) - began;
    const [up, ...before] = changes.filter(({ probe }) => probe === 'healthz');
    expect(healthz.since).toBe(up?.at);
    expect(after(up?.at ?? '')).toBeLessThan(2000);
    expect(before.map(({ at, healthy }) => [after(at), healthy])).toEqual([[0, false]]);
  });

  test('messages published before the first discovery wait for the app, in order', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.isOpen = false;
      it.set('delivery.concurrency', 1);
    });
    const ids = [await stand.publish('orders', '1'), await stand.publish('orders', '2')];
    const unwanted = await stand.publish('letters');
    expect(await stand.message(unwanted)).toMatchObject({
      stage: 'waiting',
      waitingFor: ['app'],
      deliveries: [],
    });
    expect(stand.app.calls).toHaveLength(0);
    stand.app.isOpen = true;
    await stand.pass(100);
    expect(stand.app.calls.map((call) => call.json()['data'])).toEqual(['1', '2']);
    expect((await Promise.all(ids.map((id) => stand.states(id)))).flat()).toEqual(['processed', 'processed']);
    const message = await stand.message(unwanted);
    expect([message.stage, message.waitingFor, message.deliveries]).toEqual([undefined, undefined, []]);
    expect(stand.runtime.topology.topics().find(({ topic }) => topic === 'letters')?.counts).toEqual({
      none: 1,
    });
  });

  test('a discovered app gets a message at once, and it waits for the other apps only', async () => {
    const stand = await started({ apps: ['one', 'two', 'three'] }, (it) => {
      subscribe(it, ORDERS);
      it.appOf('two').isOpen = false;
      it.appOf('three').isOpen = false;
    });
    const id = await stand.publish('orders');
    expect(await stand.message(id)).toMatchObject({
      stage: 'waiting',
      waitingFor: ['two', 'three'],
      deliveries: [{ appId: 'one', state: 'processed' }],
    });
    stand.appOf('three').isOpen = true;
    await stand.pass(100);
    expect(await stand.message(id)).toMatchObject({ waitingFor: ['two'] });
    expect(await stand.states(id)).toEqual(['processed', 'processed']);
    stand.appOf('two').isOpen = true;
    await stand.pass(100);
    expect((await stand.message(id)).waitingFor).toBeUndefined();
    expect(await stand.states(id)).toEqual(['processed', 'processed', 'processed']);
  });

  test('a 404 means no subscriptions and is no problem', async () => {
    const stand = await started({}, (it) => void it.app.discoveryAnswers.push(404));
    expect(topicsOf(stand)).toEqual([]);
    expect(stand.runtime.topology.apps()).toMatchObject([
      { problems: [], discovery: { state: 'done', status: 404 } },
    ]);
    expect(stand.logged('warn')).toEqual([]);
  });

  test.each([500, 201, 204, 302])(
    'a %i means no subscriptions, is reported, and is not repeated',
    async (status) => {
      const stand = await started({}, (it) => {
        subscribe(it, ORDERS);
        it.app.discoveryAnswers.push(status);
      });
      await stand.pass(30_000);
      expect(stand.app.asked).toHaveLength(1);
      expect(topicsOf(stand)).toEqual([]);
      const [app] = stand.runtime.topology.apps();
      expect(app?.discovery).toMatchObject({ state: 'failed', status });
      expect(app?.problems[0]?.message).toContain(String(status));
      expect(stand.runtime.health.of().healthz.healthy).toBe(true);
    },
  );

  test('a broken call is repeated at most four times', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset');
    });
    await stand.pass(10_000);
    expect(stand.app.asked).toHaveLength(5);
    expect(topicsOf(stand)).toEqual([['orders', 'active']]);
    stand.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset', 'reset');
    const asked = stand.runtime.rediscovery.ask();
    await stand.pass(10_000);
    await asked;
    expect(stand.app.asked).toHaveLength(10);
    expect(stand.runtime.topology.apps()).toMatchObject([{ discovery: { state: 'failed' } }]);
  });

  test('a broken call is repeated without the end of the look for another protocol', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.spokenAfterMs = 4000;
      it.app.discoveryAnswers.push('reset');
    });
    await stand.pass(1000);
    expect(stand.app.asked).toHaveLength(2);
    expect(topicsOf(stand)).toEqual([['orders', 'active']]);
  });

  test('a protocol that is found late ends the repeats, or names the mistake after them', async () => {
    for (const [spokenAfterMs, calls] of [
      [2000, 3],
      [8000, 5],
    ] as const) {
      const stand = await started({}, (it) => {
        it.app.spoken = 'grpc';
        it.app.spokenAfterMs = spokenAfterMs;
        it.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset', 'reset');
      });
      await stand.pass(10_000);
      expect(stand.app.asked.length).toBe(calls);
      expect(stand.runtime.topology.apps()[0]?.problems).toMatchObject([{ code: 'other-scheme' }]);
    }
  });

  test('an answer that is no array leaves only the subscriptions of files', async () => {
    const stand = await started({}, (it) => {
      it.app.discoveryAnswers.push({ body: { pubsubname: 'pubsub' } });
      it.components.subscriptions = [declared('letters', '/letters')];
    });
    expect(topicsOf(stand)).toEqual([['letters', 'active']]);
    expect(stand.runtime.topology.apps()).toMatchObject([{ discovery: { state: 'failed', status: 200 } }]);
  });

  test('a bad subscription in the answer is refused with the reason, and the others are served', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, ORDERS, { topic: 'bad', routes: { rules: [{ match: 'event.type ==', path: '/x' }] } }),
    );
    expect(topicsOf(stand)).toEqual([['orders', 'active']]);
    expect(stand.runtime.topology.apps()[0]?.problems).toHaveLength(1);
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
  });
});

describe('a repeated discovery', () => {
  test('is made when the port opens again, so that a restarted app gets its new subscriptions', async () => {
    const stand = await started();
    stand.app.isOpen = false;
    await stand.pass(600);
    expect(stand.runtime.topology.apps()).toMatchObject([{ channel: 'not-reachable' }]);
    subscribe(stand, { topic: 'letters', route: '/letters' });
    stand.app.isOpen = true;
    await stand.pass(200);
    expect(topicsOf(stand)).toEqual([['letters', 'active']]);
    expect(await stand.states(await stand.publish('letters'))).toEqual(['processed']);
  });

  test('is made after a restart of 0.15 s, whenever it begins', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    for (const rest of [0, 30, 60, 90]) {
      await stand.pass(rest);
      const before = stand.app.asked.length;
      stand.app.isOpen = false;
      await stand.pass(150);
      stand.app.isOpen = true;
      await stand.pass(1000);
      expect(stand.app.asked.length - before).toBe(1);
    }
  });

  test.each([
    ['http://app.test:6001', 100],
    ['https://app.test:6001', 20],
  ])(
    'an app at %s is looked at %i times in 10 s: over https each look is a handshake',
    async (url, times) => {
      const stand = await started({}, (it) => (it.app.url = url));
      const looked = vi.spyOn(stand.app, 'probe');
      await stand.pass(10_000);
      expect(looked).toHaveBeenCalledTimes(times);
    },
  );

  test('a refused call shows at once that the app has ended, however quickly it is back', async () => {
    const stand = await started();
    stand.app.isOpen = false;
    const id = await stand.publish('orders');
    subscribe(stand, { topic: 'orders', route: '/new' });
    stand.app.isOpen = true;
    await stand.pass(100);
    expect(stand.app.asked).toHaveLength(2);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test.each(['refused', 500, { body: {} }] as const)(
    'that is answered with %j keeps the earlier subscriptions and shows the failure',
    async (answer) => {
      const stand = await started();
      stand.app.discoveryAnswers.push(answer, answer, answer, answer, answer);
      const asked = stand.runtime.rediscovery.ask();
      await stand.pass(10_000);
      expect((await asked).problems).toHaveLength(1);
      expect((await asked).discovery).toMatchObject([{ appId: 'app', state: 'failed', count: 0 }]);
      expect(stand.runtime.topology.apps()).toMatchObject([{ discovery: { state: 'failed' } }]);
      expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    },
  );

  test.each([
    ['a list', 200, ['processed']],
    ['another failure', 500, []],
  ] as const)(
    'lets messages wait while no list of the app is known, until it ends with %s',
    async (_, answer, states) => {
      const stand = await started({}, (it) => {
        subscribe(it, ORDERS);
        it.app.discoveryAnswers.push(500);
      });
      await stand.pass(1000);
      expect((await stand.message(await stand.publish('orders'))).stage).toBeUndefined();
      if (answer === 500) stand.app.discoveryAnswers.push(500);
      stand.app.slowMs = 6000;
      const asked = stand.runtime.rediscovery.ask();
      await stand.pass(2500);
      const id = await stand.publish('orders');
      const waiting = { stage: 'waiting', waitingFor: ['app'], deliveries: [] };
      expect(await stand.message(id)).toMatchObject(waiting);
      stand.components.changed();
      await stand.settle();
      expect(await stand.message(id)).toMatchObject(waiting);
      await stand.pass(4000);
      await asked;
      const message = await stand.message(id);
      expect([message.stage, message.waitingFor]).toEqual([undefined, undefined]);
      expect(await stand.states(id)).toEqual(states);
    },
  );

  test('that breaks first and then has no answer is said to have waited as long as it did', async () => {
    const stand = await started();
    stand.app.discoveryAnswers.push('reset', 'hang');
    const asked = stand.runtime.rediscovery.ask();
    await stand.pass(11_000);
    expect((await asked).discovery).toMatchObject([{ state: 'failed', error: 'No answer within 10 s.' }]);
  });

  test('logs the first list of an address, and one after a failed discovery', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push(500);
    });
    expect(saidOfLists(stand)).toEqual([]);
    await stand.runtime.rediscovery.ask();
    expect(saidOfLists(stand)).toEqual(['info: The app reported its subscriptions: 1.']);
    await stand.runtime.rediscovery.ask();
    expect(saidOfLists(stand)).toHaveLength(1);
    const good = await started();
    expect(saidOfLists(good)).toEqual(['info: The app reported its subscriptions: 1.']);
    await good.runtime.rediscovery.ask();
    expect(saidOfLists(good)).toHaveLength(1);
  });

  test.each([
    ['a misspelt member', { pubsubnam: 'pubsub', topic: 'orders', route: '/orders' }],
    ['a component that does not exist', { pubsubname: 'pubsubb', topic: 'orders', route: '/orders' }],
  ])('logs once that a list with %s is mended', async (_, element) => {
    const wrong = { body: [element] };
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push(wrong, wrong);
    });
    await stand.runtime.rediscovery.ask();
    const mended = (): readonly string[] => saidOfLists(stand).filter((line) => line.includes('is fixed'));
    expect(mended()).toEqual([]);
    await stand.runtime.rediscovery.ask();
    await stand.runtime.rediscovery.ask();
    expect(mended()).toEqual(['info: The subscription list of the app is fixed: 1 subscription, all used.']);
  });

  test('logs the first list of an app that spoke another profile, and calls it no mended one', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push(404);
      it.app.otherProfile = { body: [] };
    });
    await stand.runtime.rediscovery.ask();
    expect(saidOfLists(stand)).toEqual(['info: The app reported its subscriptions: 1.']);
  });

  test('logs the first list of an app that was not asked while it had no component', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.components.components = [];
    });
    expect(saidOfLists(stand)).toEqual([]);
    stand.components.components = [component('pubsub', 'pubsub.in-memory')];
    await stand.runtime.resources.reload();
    expect(saidOfLists(stand)).toEqual(['info: The app reported its subscriptions: 1.']);
  });

  test('logs once that a list is mended because its component was loaded', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.components.components = [component('other', 'pubsub.in-memory')];
    });
    const { components } = stand.components;
    stand.components.components = [...components, component('pubsub', 'pubsub.in-memory')];
    await stand.runtime.resources.reload();
    await stand.runtime.resources.reload();
    expect(saidOfLists(stand)).toEqual([
      'info: The app reported its subscriptions: 1.',
      'info: The subscription list of the app is fixed: 1 subscription, all used.',
    ]);
  });

  test.each([500, 200])('that fails with a long answer of %i shows where that was cut', async (status) => {
    const stand = await started();
    stand.app.discoveryAnswers.push({ status, body: { long: 'b'.repeat(3000) } });
    await stand.runtime.rediscovery.ask();
    const [app] = stand.runtime.topology.apps();
    expect(app?.discovery.body).toMatch(/^\{"long":"b+…$/);
  });

  test('is not made if the setting says never', async () => {
    const stand = await started();
    stand.set('discovery.again', 'never');
    stand.app.isOpen = false;
    await stand.pass(1000);
    stand.app.isOpen = true;
    await stand.pass(1000);
    expect(stand.app.asked).toHaveLength(1);
    expect(stand.runtime.topology.apps()).toMatchObject([{ channel: 'answering' }]);
  });

  test('is made on demand, and nothing is sent to the app meanwhile', async () => {
    const stand = await started();
    stand.app.discoveryAnswers.push('reset');
    const asked = stand.runtime.rediscovery.ask();
    await stand.settle();
    const id = await stand.publish('orders');
    expect(await stand.states(id)).toEqual(['queued']);
    await stand.pass(1000);
    expect((await asked).subscriptions).toMatchObject([{ topic: 'orders' }]);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('without an earlier subscription ends its deliveries, and open ones wait', async () => {
    const stand = await started();
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    subscribe(stand, { topic: 'letters', route: '/letters' });
    await stand.runtime.rediscovery.ask();
    expect((await stand.message(await stand.publish('orders'))).deliveries).toEqual([]);
    await stand.pass(1000);
    expect(await stand.states(id)).toEqual(['queued']);
    expect(stand.app.calls).toHaveLength(1);
  });
});

describe('subscriptions of files', () => {
  test("are merged with the app's own; for the same topic the app's wins, with a warning", async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.components.subscriptions = [declared('orders', '/from-file'), declared('letters', '/letters')];
    });
    expect(stand.runtime.topology.subscriptions().map(({ topic, source }) => [topic, source])).toEqual([
      ['orders', 'programmatic'],
      ['letters', 'declarative'],
    ]);
    await stand.publish('orders');
    await stand.publish('letters');
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/orders', '/letters']);
    const warnings = stand.runtime.topology.apps()[0]?.problems ?? [];
    expect(warnings).toHaveLength(1);
    expect(stand.logged('warn')).toEqual([
      "app: listed.yaml (document 1): Declared twice for pubsub/orders: the app's own declaration counts.",
    ]);
    stand.components.changed();
    await stand.settle();
    expect(stand.runtime.topology.apps()[0]?.problems).toEqual(warnings);
  });

  test('do not count if they are for other apps', async () => {
    const stand = await started({ apps: ['one', 'two'] }, (it) => {
      it.components.subscriptions = [{ ...declared('orders', '/orders'), scopes: ['two'] }];
    });
    await stand.publish('orders');
    expect(stand.appOf('one').calls).toHaveLength(0);
    expect(stand.appOf('two').calls).toHaveLength(1);
  });
});

test('a forbidden topic is listed as refused, and the others are served', async () => {
  const stand = await started({}, (it) => {
    subscribe(
      it,
      ORDERS,
      { topic: 'secret', route: '/secret' },
      { pubsubname: 'other', topic: 'x', route: '/x' },
    );
    it.components.components = [
      component('pubsub', 'pubsub.in-memory', { subscriptionScopes: 'app=orders' }),
    ];
  });
  expect(topicsOf(stand)).toEqual([
    ['orders', 'active'],
    ['secret', 'forbidden'],
    ['x', 'inert'],
  ]);
  expect(stand.logged('warn')).toContain('The app may not subscribe to topic secret of pubsub.');
  expect((await stand.message(await stand.publish('secret'))).deliveries).toEqual([]);
});

test('a subscription whose rawPayload cannot be read is listed as invalid, its messages are parked', async () => {
  const stand = await started({}, (it) => subscribe(it, { ...ORDERS, metadata: { rawPayload: 'yes' } }));
  expect(topicsOf(stand)).toEqual([['orders', 'invalid']]);
  const id = await stand.publish('orders');
  expect(await stand.way(id)).toEqual(['parked policy.unreadable (policy)']);
});

test('without a component to subscribe to, the app is asked when there is one', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, ORDERS);
    it.components.components = [];
  });
  expect(stand.app.asked).toEqual([]);
  expect(stand.runtime.health.of().healthz.healthy).toBe(true);
  stand.components.components = [component('pubsub', 'pubsub.in-memory')];
  stand.components.changed();
  await stand.settle();
  expect(stand.app.asked).toHaveLength(1);
  expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
});

function declared(topic: string, route: string): object {
  return {
    apiVersion: 'sidecar.io/v2alpha1',
    kind: 'Subscription',
    metadata: { name: topic },
    spec: { pubsubname: 'pubsub', topic, routes: { default: route } },
  };
}
