/** A broker delivers a message that a person has just removed: no app gets it, and other messages are not affected. */
import { expect, test } from 'vitest';
import type { OutboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** Keeps everything, and hands it to each new group, as a stream does. */
class Stream {
  readonly #entries: OutboundMessage[] = [];
  readonly answers: Taken[] = [];
  /** Tells the subscriber that messages are gone which it never had. */
  lose: (messageIds: readonly string[]) => void = () => undefined;

  connect(): PubSub {
    return {
      features: {
        bulkPublish: false,
        bulkSubscribe: false,
        ttl: false,
        wildcards: false,
        keepsHistory: true,
        redelivers: true,
      },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async (message) => void this.#entries.push(message),
      subscribe: async (subscribed, { onLost }, take) => {
        this.lose = (messageIds) => onLost?.(messageIds);
        for (const { messageId, topic, wire } of this.#entries.filter((one) => one.topic === subscribed))
          void take({ messageId, topic, wire, metadata: {} }).then((taken) => this.answers.push(taken));
        return { close: async () => undefined };
      },
    };
  }
}

async function withRemoved(): Promise<{ stand: Stand; stream: Stream; id: string; undoToken: string }> {
  const stream = new Stream();
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.stream')];
    it.components.own.set('pubsub', () => stream.connect());
  });
  await stand.pass(100);
  const id = await stand.publish('orders', 'taken away');
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: [id] });
  subscribe(stand, { topic: 'orders', route: '/orders' });
  return { stand, stream, id, undoToken };
}

test('a removed message that the broker delivers again is acknowledged and not shown', async () => {
  const { stand, stream, id, undoToken } = await withRemoved();
  const asked = stand.runtime.rediscovery.ask();
  const others: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n += 1) {
    others.push(stand.publish('letters', String(n)));
    await Promise.resolve();
  }
  await asked;
  await stand.settle();
  await Promise.all(others);
  expect(stream.answers).toEqual(['done']);
  expect(stand.app.calls).toEqual([]);
  // Nobody subscribed when it was published, which is told once.
  expect(stand.logged('warn')).toEqual([expect.stringContaining('The app answers with an empty list')]);
  await stand.runtime.removals.undo(undoToken);
  expect(await stand.message(id)).toMatchObject({ data: 'taken away', deliveries: [] });
});

test('a removed message that the broker loses is not delivered from the history, and an undo brings it back without a delivery', async () => {
  const { stand, stream, id, undoToken } = await withRemoved();
  await stand.runtime.rediscovery.ask();
  stream.lose([id]);
  await stand.settle();
  await stand.runtime.removals.undo(undoToken);
  expect(stand.app.calls).toEqual([]);
  expect(await stand.message(id)).toMatchObject({ data: 'taken away', deliveries: [] });
  stream.lose([id]);
  await stand.settle();
  expect(stand.app.calls).toHaveLength(1);
});

test('a message removed for good is taken in again when the broker delivers it', async () => {
  const { stand, stream, id } = await withRemoved();
  await stand.pass(10_000);
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  expect(stand.app.calls.map((call) => call.json()['data'])).toEqual(['taken away']);
  expect(stream.answers).toEqual(['done']);
  expect(await stand.states(id)).toEqual(['processed']);
});
