/** Deliveries of one subscription keep the broker's order, also where a message has to be read from the history first. */
import { expect, test } from 'vitest';
import type { InboundMessage, OutboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

/** A broker that keeps messages until a test delivers them. One that keeps nothing delivers each at once. */
class Broker {
  readonly kept: OutboundMessage[] = [];
  readonly #redelivers: boolean;
  #take: ((message: InboundMessage) => Promise<Taken>) | undefined;

  constructor(redelivers = true) {
    this.#redelivers = redelivers;
  }

  connect(): PubSub {
    const keepsHistory = this.#redelivers;
    return {
      features: {
        bulkPublish: false,
        bulkSubscribe: false,
        ttl: false,
        wildcards: false,
        keepsHistory,
        redelivers: this.#redelivers,
      },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async (message) => {
        this.kept.push(message);
        if (!this.#redelivers) this.deliver();
      },
      subscribe: async (_topic, _options, take) => {
        this.#take = take;
        return { close: async () => undefined };
      },
    };
  }

  /** Delivers a message again, without its bytes. */
  deliverAgain(messageId: string): void {
    void this.#take?.({ messageId, topic: 'orders', metadata: {} });
  }

  /** Delivers what it keeps, all in one turn of the event loop. */
  deliver(): void {
    for (const { messageId, topic, wire, metadata } of this.kept.splice(0))
      void this.#take?.({ messageId, topic, wire, metadata });
  }
}

/** Characters of a message that is not kept in memory until the broker delivers it. */
const LONG = 1024 * 1024;

test.each([
  ['a long message, then short ones', [LONG, 1, 1]],
  ['a short message between long ones', [LONG, 1, LONG]],
])('%s reach the app in that order', async (_, lengths) => {
  const broker = new Broker();
  const stand = await started({}, (it) => {
    it.set('delivery.concurrency', 1);
    it.components.components = [component('pubsub', 'pubsub.own')];
    it.components.own.set('pubsub', () => broker.connect());
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const ids: string[] = [];
  for (const length of lengths) ids.push(await stand.publish('orders', { text: 'x'.repeat(length) }));
  broker.deliver();
  await stand.settle();
  const deliveries = await Promise.all(ids.map(async (id) => stand.delivery(id)));
  expect(deliveries.map(({ state }) => state)).toEqual(ids.map(() => 'processed'));
  expect(stand.app.calls.map((call) => (JSON.stringify(call.json()).length > LONG ? LONG : 1))).toEqual(
    lengths,
  );
});

test('a component that keeps nothing has its delivery at once, also while an earlier message is read', async () => {
  const broker = new Broker(false);
  const stand = await started({ journal: new LastingJournal({ durable: true }) }, (it) => {
    it.components.components = [component('pubsub', 'pubsub.own')];
    it.components.own.set('pubsub', () => broker.connect());
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const first = await stand.publish('orders', 1);
  expect(await stand.states(first)).toEqual(['processed']);
  let read = (): void => undefined;
  stand.journal.reading = new Promise<void>((resolve) => (read = resolve));
  broker.deliverAgain(first);
  await stand.publish('orders', 2);
  expect(stand.app.calls).toHaveLength(2);
  read();
  await stand.settle();
});
