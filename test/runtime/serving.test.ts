/** Subscriptions at a broker that keeps groups: what a lost one is owed, what cannot be read of it, and an app that goes. */
import { describe, expect, test } from 'vitest';
import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import type { PubSub, SubscribeOptions } from '../../core/ports/pubsub.ts';
import { laneName } from '../../core/runtime/state/live.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const ORDERS = { topic: 'orders', route: '/orders' };

/** Takes every message, knows its groups, and hands nothing over. */
class KeepingBroker {
  readonly groups = new Set<string>();
  readonly open = new Set<string>();
  keepsHistory = true;
  /** Reason with which a subscription is refused, and the number of refusals. */
  refusal: string | undefined;
  refused = 0;
  /** A subscription that is closed waits for it. */
  closing: Promise<void> = Promise.resolve();

  connect(): PubSub {
    const { keepsHistory } = this;
    return {
      features: {
        bulkPublish: false,
        bulkSubscribe: false,
        ttl: false,
        wildcards: false,
        keepsHistory,
        redelivers: true,
      },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async () => undefined,
      subscribe: async (topic, options) => this.#subscribe(`${options.group} ${topic}`, options),
    };
  }

  #subscribe(name: string, options: SubscribeOptions): Awaited<ReturnType<PubSub['subscribe']>> {
    if (this.refusal !== undefined) {
      this.refused += 1;
      throw new Error(this.refusal);
    }
    if (!this.groups.has(name)) options.onNew?.();
    this.groups.add(name);
    this.open.add(name);
    return {
      close: async () => {
        await this.closing;
        this.open.delete(name);
      },
    };
  }
}

async function startedOn(broker: KeepingBroker, prepare: (stand: Stand) => void): Promise<Stand> {
  return started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.keeping')];
    it.components.own.set('pubsub', () => broker.connect());
    prepare(it);
  });
}

function dataSeen(stand: Stand): unknown[] {
  return stand.app.calls.map((call) => call.json()['data']);
}

test.each([
  ['all there is', true, ['before', 'after']],
  ['what comes', false, ['after']],
])(
  'a lost group that begins with %s gets the messages that were meant for it',
  async (_, keepsHistory, seen) => {
    const broker = new KeepingBroker();
    broker.keepsHistory = keepsHistory;
    const stand = await startedOn(broker, () => undefined);
    await stand.pass(100);
    await stand.publish('orders', 'before');
    subscribe(stand, ORDERS);
    await stand.runtime.rediscovery.ask();
    await stand.publish('orders', 'after');
    expect(dataSeen(stand)).toEqual([]);
    await stand.stop();
    broker.groups.clear();
    await stand.start();
    await stand.pass(100);
    expect(dataSeen(stand)).toEqual(seen);
  },
);

test('if the known groups cannot be read, the app is served anyway, with a log line, and they are read again later', async () => {
  const broker = new KeepingBroker();
  const stand = await startedOn(broker, (it) => {
    subscribe(it, ORDERS);
    it.app.isOpen = false;
  });
  stand.journal.unkept = new Error('the disk is away');
  stand.app.isOpen = true;
  await stand.pass(100);
  expect(stand.runtime.topology.subscriptions()).toMatchObject([{ topic: 'orders', state: 'active' }]);
  expect(stand.lines.filter(({ level }) => level === 'error')).toMatchObject([
    {
      part: 'subscriptions',
      text: expect.stringContaining(
        'could not read whether pubsub had a group of app on orders: the disk is away',
      ),
    },
  ]);
  stand.journal.unkept = undefined;
  subscribe(stand, ORDERS, { topic: 'bills', route: '/bills' });
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  expect(await stand.journal.kept('broker-groups')).toEqual({
    [laneName({ appId: 'app', pubsubname: 'pubsub', topic: 'bills' })]: 0,
  });
});

test('if the known groups cannot be read without a broker, it is logged, and nothing ends', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, ORDERS);
    it.app.isOpen = false;
  });
  stand.journal.unkept = new Error('the disk is away');
  stand.app.isOpen = true;
  await stand.pass(100);
  expect(stand.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  const id = await stand.publish('orders');
  expect(await stand.states(id)).toEqual(['processed']);
});

test('a reload while an app goes does not bring its subscriptions back', async () => {
  const broker = new KeepingBroker();
  const stand = await startedOn(broker, (it) => {
    it.components.subscriptions = [
      {
        apiVersion: 'sidecar.io/v2alpha1',
        kind: 'Subscription',
        metadata: { name: 'orders' },
        spec: { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } },
      },
    ];
  });
  await stand.pass(100);
  expect([...broker.open]).toEqual(['app orders']);
  let close = (): void => undefined;
  broker.closing = new Promise((go) => (close = go));
  const leaving = stand.runtime.membership.leave('app');
  await stand.settle();
  const reloading = stand.runtime.resources.reload();
  await stand.settle();
  close();
  await stand.settle();
  await Promise.all([leaving, reloading]);
  expect([...broker.open]).toEqual([]);
});

test('a subscription to a component that is not ready says why, not that there is none', async () => {
  const stand = await started({}, (it) => {
    // An app without any component that is ready is not asked for its subscriptions.
    it.components.components = [
      component('pubsub', 'pubsub.unreachable'),
      component('second', 'pubsub.in-memory'),
    ];
    it.components.own.set('pubsub', () => {
      throw new Error('Nothing answers at 127.0.0.1:6379.');
    });
    subscribe(it, ORDERS);
  });
  await stand.pass(100);
  expect(stand.runtime.topology.subscriptions()[0]).toMatchObject({
    state: 'inert',
    reason: 'Component pubsub is not ready: Nothing answers at 127.0.0.1:6379.',
  });
});

describe('a subscription that a component which is ready refuses', () => {
  test('is tried again with growing pauses, and used as soon as it is accepted; one trouble is one line', async () => {
    const broker = new KeepingBroker();
    broker.refusal = 'OOM command not allowed';
    const stand = await startedOn(broker, (it) => subscribe(it, ORDERS));
    await stand.pass(100);
    const row = (): unknown => stand.runtime.topology.subscriptions()[0];
    const reason = 'The component refused the subscription: OOM command not allowed.';
    expect(row()).toMatchObject({ state: 'inert', reason, failedTries: 1 });
    for (const [afterMs, failedTries] of [
      [1000, 2],
      [2000, 3],
      [4000, 4],
    ] as const) {
      await stand.pass(afterMs);
      const nextTryAt = new Date(stand.clock.now() + 2 * afterMs - 100).toISOString();
      expect(row()).toMatchObject({ state: 'inert', reason, failedTries, nextTryAt });
    }
    expect(stand.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    broker.refusal = undefined;
    const seen = stand.events.length;
    await stand.pass(8000);
    expect([...broker.open]).toEqual(['app orders']);
    expect(row()).toMatchObject({ state: 'active' });
    expect(row()).not.toHaveProperty('reason');
    expect(row()).not.toHaveProperty('failedTries');
    expect(stand.events.slice(seen).map(({ type }) => type)).toContain('topology.changed');
  });

  test.each([
    [
      'when the app does not want it any more',
      async (stand: Stand) => {
        subscribe(stand);
        await stand.runtime.rediscovery.ask();
      },
    ],
    ['after a stop', async (stand: Stand) => stand.stop()],
  ])('is not tried again %s', async (_, end) => {
    const broker = new KeepingBroker();
    broker.refusal = 'no';
    const stand = await startedOn(broker, (it) => subscribe(it, ORDERS));
    await stand.pass(100);
    await end(stand);
    const { refused } = broker;
    await stand.pass(60_000);
    expect(broker.refused).toBe(refused);
  });
});

test('a reload reads the files for a few apps in a turn of the event loop, and applies them to all together', async () => {
  const stand = await started({ apps: Array.from({ length: 10 }, (_, i) => `app${i}`) });
  stand.components.subscriptions = Array.from({ length: 300 }, (_, i) => ({
    apiVersion: 'sidecar.io/v2alpha1',
    kind: 'Subscription',
    metadata: { name: `sub${i}` },
    spec: { pubsubname: 'pubsub', topic: `topic${i}`, routes: { default: '/orders' } },
  }));
  const inFile = (): number =>
    stand.runtime.topology.subscriptions().filter(({ file }) => file !== undefined).length;
  const reloading = stand.runtime.resources.reload();
  await stand.settle();
  expect(inFile()).toBe(0);
  await stand.during(reloading);
  expect(inFile()).toBe(3_000);
});

test('of the thousands of subscriptions that an app reports, hundreds are opened in a turn of the event loop', async () => {
  let opened = 0;
  const stand = await started({}, (it) => {
    it.components.own.set('pubsub', () => {
      const inner = createMemoryPubSub({
        broker: new MemoryBroker({ clock: it.clock, log: { write: () => undefined } }),
      });
      const open = inner.subscribe.bind(inner);
      inner.subscribe = (...args) => {
        opened += 1;
        return open(...args);
      };
      return inner;
    });
    subscribe(it, ORDERS);
  });
  subscribe(stand, ...Array.from({ length: 3_000 }, (_, i) => ({ topic: `topic${i}`, route: '/orders' })));
  const asked = stand.runtime.rediscovery.ask('app');
  await stand.settle();
  expect(opened).toBeLessThan(1_000);
  await stand.during(asked);
  await stand.pass(100);
  expect(opened).toBe(3_001);
  expect(stand.runtime.topology.subscriptions().filter(({ state }) => state === 'active')).toHaveLength(
    3_000,
  );
});

test('what is published while a component that is back gets its subscriptions waits for the last of them', async () => {
  let isAway = true;
  const stand = await started({}, (it) => {
    it.components.components = [
      component('pubsub', 'pubsub.in-memory'),
      component('second', 'pubsub.in-memory'),
    ];
    it.components.own.set('pubsub', () => {
      const inner = createMemoryPubSub({
        broker: new MemoryBroker({ clock: it.clock, log: { write: () => undefined } }),
      });
      const start = inner.start.bind(inner);
      inner.start = async () => {
        if (isAway) throw new Error('the server is away');
        return start();
      };
      return inner;
    });
    subscribe(it, ...Array.from({ length: 3_000 }, (_, i) => ({ topic: `topic${i}`, route: '/orders' })));
  });
  await stand.pass(100);
  isAway = false;
  const rows = () => stand.runtime.topology.subscriptions();
  const state = () => stand.runtime.topology.components().find(({ name }) => name === 'pubsub')?.state;
  while (state() !== 'ready') {
    stand.clock.advance(10);
    await Promise.resolve();
  }
  const id = await stand.publish('topic2999');
  await stand.pass(1000);
  expect(rows().every(({ state: one }) => one === 'active')).toBe(true);
  expect(await stand.states(id)).toEqual(['processed']);
});
