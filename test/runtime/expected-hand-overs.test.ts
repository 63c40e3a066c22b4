/** A broker hands over what was just published here: nothing is read back for it, and nothing stays in memory without end. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { worstState } from '../../core/domain/facet.ts';
import type { InboundMessage, OutboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { testFolder } from '../adapters/sqlite-folder.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** Delivers on request. */
class Broker {
  readonly #kept: OutboundMessage[] = [];
  readonly #keepsHistory: boolean;
  /** Topics that were subscribed to. */
  readonly topics: string[] = [];
  #take: (message: InboundMessage) => Promise<Taken> = async () => 'redeliver';

  constructor(keepsHistory: boolean) {
    this.#keepsHistory = keepsHistory;
  }

  connect(): PubSub {
    const none = { bulkPublish: false, bulkSubscribe: false, ttl: false, wildcards: false };
    return {
      features: { ...none, keepsHistory: this.#keepsHistory, redelivers: true },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async (message) => void this.#kept.push(message),
      subscribe: async (topic, _options, take) => {
        this.topics.push(topic);
        this.#take = take;
        return { close: async () => undefined };
      },
    };
  }

  /** @param only topic of which the messages are handed over; absent: of all */
  hand(only?: string): void {
    for (const { messageId, topic, wire } of this.#kept.splice(0))
      if (only === undefined || topic === only) void this.#take({ messageId, topic, wire, metadata: {} });
  }
}

async function subscribed({ journal = new LastingJournal(), keepsHistory = true } = {}): Promise<{
  stand: Stand;
  broker: Broker;
  read: { readonly times: number };
}> {
  const broker = new Broker(keepsHistory);
  const stand = await started({ journal }, (it) => {
    it.components.components = [component('pubsub', 'pubsub.stream')];
    it.components.own.set('pubsub', () => broker.connect());
  });
  subscribe(stand, { topic: 'orders', route: '/orders' });
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  const get = vi.spyOn(stand.journal, 'get');
  return {
    stand,
    broker,
    read: {
      get times() {
        return get.mock.calls.length;
      },
    },
  };
}

test('a broker that delivers soon after the publish causes no read of the history', async () => {
  const { stand, broker, read } = await subscribed();
  await stand.publish('orders', 'one');
  await stand.settle();
  broker.hand();
  await stand.settle();
  expect(stand.app.calls.map((call) => call.json()['data'])).toEqual(['one']);
  expect(read.times).toBe(0);
});

test('a message that the broker delivers late is read back and delivered', async () => {
  const { stand, broker, read } = await subscribed();
  await stand.publish('orders', 'one');
  await stand.pass(2_000);
  broker.hand();
  await stand.settle();
  expect(stand.app.calls.map((call) => call.json()['data'])).toEqual(['one']);
  expect(read.times).toBeGreaterThan(0);
});

test('the oldest of many messages that wait at the broker are evicted', async () => {
  const { stand, broker, read } = await subscribed();
  for (let n = 0; n < 502; n += 1) await stand.publish('orders', String(n));
  await stand.settle();
  broker.hand();
  await stand.settle();
  expect(stand.app.calls).toHaveLength(502);
  expect(read.times).toBe(2);
});

test('a message that was removed meanwhile is not delivered', async () => {
  const { stand, broker } = await subscribed();
  const id = await stand.publish('orders', 'taken away');
  await stand.runtime.removals.remove({ messageIds: [id] });
  broker.hand();
  await stand.settle();
  expect(stand.app.calls).toEqual([]);
});

test('a message that another program of the group may have taken is unseen, and without a subscription here has none', async () => {
  const { stand, broker } = await subscribed();
  const id = await stand.publish('orders', 'one');
  await stand.pass(2_000);
  expect(await stand.message(id)).toMatchObject({ deliveries: [], expectedBy: ['app'] });
  expect(worstState(await stand.message(id))).toBe('unseen');
  const other = await stand.publish('bills', 'two');
  expect((await stand.message(other)).expectedBy).toBeUndefined();
  expect(worstState(await stand.message(other))).toBe('none');
  broker.hand();
  await stand.settle();
  expect(worstState(await stand.message(id))).toBe('processed');
});

test('a restart does not change the count of messages without a subscription', async () => {
  const folder = await testFolder();
  onTestFinished(() => folder.remove());
  const journal = new LastingJournal({ durable: true }, await folder.open());
  const { stand } = await subscribed({ journal, keepsHistory: false });
  const counted = (topic: string) =>
    stand.runtime.topology.topics().find((each) => each.topic === topic)?.counts.none;
  for (const topic of ['orders', 'orders', 'bills']) await stand.publish(topic, topic);
  await stand.pass(2_000);
  for (let start = 0; start < 3; start += 1) {
    expect([counted('orders'), counted('bills')]).toEqual([undefined, 1]);
    stand.crash();
    await stand.start();
  }
});

test.each([true, false])(
  'what is replayed, removed or delivered late leaves the count of messages without a subscription, where the broker keeps its messages: %s',
  async (keepsHistory) => {
    const folder = await testFolder();
    onTestFinished(() => folder.remove());
    const journal = new LastingJournal({ durable: true }, await folder.open());
    const { stand, broker } = await subscribed({ journal, keepsHistory });
    const counts: (number | undefined)[] = [];
    const count = async (): Promise<void> => {
      await stand.pass(2_000);
      const bills = stand.runtime.topology.topics().find(({ topic }) => topic === 'bills');
      counts.push(bills?.counts.none);
    };
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await stand.publish('bills', n));
    const [first = '', second = '', third = '', fourth = ''] = ids;
    await count();
    await stand.runtime.replay.replay(first, { topic: 'news' }, undefined);
    await count();
    await stand.runtime.removals.removeAtOnce([first, second]);
    await count();
    stand.crash();
    await stand.start();
    await count();
    await stand.runtime.replay.replay(third, { topic: 'news' }, undefined);
    await count();
    await stand.runtime.removals.removeAtOnce([third, fourth]);
    await count();
    subscribe(stand, { topic: 'bills', route: '/bills' });
    await stand.runtime.rediscovery.ask();
    await stand.settle();
    await vi.waitFor(() => expect(broker.topics).toContain('bills'));
    broker.hand('bills');
    // The broker brings those that were removed anew.
    await vi.waitFor(async () => {
      await stand.settle();
      expect(stand.app.calls).toHaveLength(6);
    });
    await count();
    stand.crash();
    await stand.start();
    await count();
    expect(counts).toEqual([6, 5, 4, 4, 3, 2, undefined, undefined]);
  },
);

test('a message released to another topic, or after the subscriptions changed, is expected by the present subscribers', async () => {
  const { stand } = await subscribed({ keepsHistory: false });
  const counted = (topic: string) =>
    stand.runtime.topology.topics().find((each) => each.topic === topic)?.counts.none;
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const ids: string[] = [];
  for (const topic of ['orders', 'bills', 'news']) ids.push(await stand.publish(topic, topic));
  const [first = '', second = '', third = ''] = ids;
  subscribe(stand, { topic: 'orders', route: '/orders' }, { topic: 'news', route: '/news' });
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  await stand.runtime.deliveryActions.release({ messageId: first }, { topic: 'bills' });
  await stand.runtime.deliveryActions.release({ messageId: second }, { topic: 'orders' });
  await stand.runtime.deliveryActions.release({ messageId: third });
  expect((await stand.message(first)).expectedBy).toBeUndefined();
  expect(await stand.message(second)).toMatchObject({ expectedBy: ['app'] });
  expect(await stand.message(third)).toMatchObject({ expectedBy: ['app'] });
  expect([counted('orders'), counted('bills'), counted('news')]).toEqual([undefined, 1, undefined]);
});
