/** The in-memory pub/sub component: the suite of the port, and what only this one does. */
import { describe, expect, test } from 'vitest';

import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { InboundMessage, OutboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { pubsubSuite } from './pubsub.suite.ts';
import { collectGarbage } from '../support/garbage.ts';

const SILENT: Log = { write: () => undefined };

const shared = new MemoryBroker({ clock: systemClock(), log: SILENT });
pubsubSuite({ name: 'in-memory', make: async () => createMemoryPubSub({ broker: shared }) });

function setUp(): { clock: ManualClock; pubsub: PubSub; lines: string[] } {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log: Log = { write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`) };
  return { clock, lines, pubsub: createMemoryPubSub({ broker: new MemoryBroker({ clock, log }) }) };
}

function message(topic: string, text = 'x'): OutboundMessage {
  return {
    messageId: `msg_${text}`,
    topic,
    wire: text,
    contentType: 'text/plain',
    metadata: { ttlInSeconds: '5' },
  };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the in-memory component', () => {
  test('every take was called before publish resolves', async () => {
    const { pubsub } = setUp();
    const order: string[] = [];
    for (const group of ['a', 'b']) {
      await pubsub.subscribe('t', { group, metadata: {} }, async () => {
        order.push(group);
        return new Promise<Taken>(() => undefined);
      });
    }
    const published = Promise.resolve(pubsub.publish(message('t'))).then(() => order.push('published'));
    expect(order).toEqual(['a', 'b']);
    await published;
  });

  test.each([
    ['orders*', 'orders1', 1],
    ['orders*', 'orders/eu', 1],
    ['orders*', 'orders', 0],
    ['orders*', 'order', 0],
    ['*', 'anything', 1],
    ['orders', 'orders*', 0],
    ['Orders', 'orders', 0],
  ])('a subscription to %s gets %s: %i', async (pattern, topic, expected) => {
    const { pubsub } = setUp();
    const taken: string[] = [];
    await pubsub.subscribe(pattern, { group: 'a', metadata: {} }, async (inbound) => {
      taken.push(inbound.topic);
      return 'done';
    });
    await pubsub.publish(message(topic));
    expect(taken).toEqual(expected === 1 ? [topic] : []);
  });

  test('one app with an exact and a wildcard subscription gets the message for each', async () => {
    const { pubsub } = setUp();
    const taken: string[] = [];
    for (const topic of ['orders', 'ord*']) {
      await pubsub.subscribe(topic, { group: 'a', metadata: {} }, async () => {
        taken.push(topic);
        return 'done';
      });
    }
    await pubsub.publish(message('orders'));
    expect(taken).toEqual(['orders', 'ord*']);
  });

  test('the headers of a delivery are the metadata of the subscription', async () => {
    const { pubsub } = setUp();
    const taken: InboundMessage[] = [];
    await pubsub.subscribe('t', { group: 'a', metadata: { rawPayload: 'true' } }, async (inbound) => {
      taken.push(inbound);
      return 'done';
    });
    await pubsub.publish(message('t'));
    expect(taken[0]?.metadata).toEqual({ rawPayload: 'true' });
  });

  test('a later subscriber gets no earlier message', async () => {
    const { pubsub } = setUp();
    await pubsub.publish(message('t'));
    const taken: InboundMessage[] = [];
    await pubsub.subscribe('t', { group: 'a', metadata: {} }, async (inbound) => {
      taken.push(inbound);
      return 'done';
    });
    expect(taken).toEqual([]);
  });

  test('a message answered with redeliver comes again after 100 ms', async () => {
    const { pubsub, clock } = setUp();
    let times = 0;
    await pubsub.subscribe('t', { group: 'a', metadata: {} }, async () =>
      ++times < 3 ? 'redeliver' : 'done',
    );
    await pubsub.publish(message('t'));
    await settled();
    clock.advance(99);
    expect(times).toBe(1);
    clock.advance(1);
    expect(times).toBe(2);
    await settled();
    clock.advance(100);
    expect(times).toBe(3);
    await settled();
    expect(clock.waiting).toBe(0);
  });

  test('redelivery stops without subscribers, and leaves no timer', async () => {
    const { pubsub, clock } = setUp();
    let times = 0;
    const open = await pubsub.subscribe('t', { group: 'a', metadata: {} }, async () => {
      times++;
      return 'redeliver';
    });
    await pubsub.publish(message('t'));
    await settled();
    expect(clock.waiting).toBe(1);
    await open.close();
    expect(clock.waiting).toBe(0);
    clock.advance(1000);
    expect(times).toBe(1);
  });

  test('a message returned after the last subscriber left is dropped', async () => {
    const { pubsub, clock } = setUp();
    let giveBack: (taken: Taken) => void = () => undefined;
    const open = await pubsub.subscribe(
      't',
      { group: 'a', metadata: {} },
      async () => new Promise((resolve) => (giveBack = resolve)),
    );
    await pubsub.publish(message('t'));
    const closed = open.close();
    giveBack('redeliver');
    await closed;
    await settled();
    expect(clock.waiting).toBe(0);
  });

  test('a message returned by a leaving subscriber goes to a remaining one', async () => {
    const { pubsub, clock } = setUp();
    const taken: string[] = [];
    let giveBack: (taken: Taken) => void = () => undefined;
    const leaving = await pubsub.subscribe('t', { group: 'a', metadata: {} }, async () => {
      taken.push('leaving');
      return new Promise((resolve) => (giveBack = resolve));
    });
    await pubsub.subscribe('t', { group: 'a', metadata: {} }, async () => {
      taken.push('staying');
      return 'done';
    });
    await pubsub.publish(message('t'));
    const closed = leaving.close();
    giveBack('redeliver');
    await closed;
    await settled();
    clock.advance(100);
    expect(taken).toEqual(['leaving', 'staying']);
  });

  test('an error of a subscriber is logged', async () => {
    const { pubsub, lines } = setUp();
    await pubsub.subscribe('t', { group: 'a', metadata: {} }, async () =>
      Promise.reject(new Error('no room')),
    );
    await pubsub.publish(message('t'));
    await settled();
    expect(lines).toEqual(['error memory-pubsub: A message failed inside Sidelight: Error: no room']);
    await pubsub.close();
  });

  test('failPublish refuses messages that contain the text', async () => {
    const broker = new MemoryBroker({ clock: new ManualClock(), log: SILENT });
    const pubsub = createMemoryPubSub({ broker, failPublish: 'poison' });
    await expect(pubsub.publish(message('t', 'some poison here'))).rejects.toThrow('"poison"');
    await expect(pubsub.publish({ ...message('t'), wire: Buffer.from('poison') })).rejects.toThrow(
      '"poison"',
    );
    expect(await pubsub.publish(message('t', 'water'))).toBeUndefined();
  });
});

/** Bytes of a message if they are still in memory after its publish to this component and a garbage collection. */
async function bytesAfter(pubsub: PubSub): Promise<Uint8Array | undefined> {
  const wire = new WeakRef(await published(pubsub));
  await collectGarbage(() => settled());
  return wire.deref();
}

async function published(pubsub: PubSub): Promise<Uint8Array> {
  const wire = new Uint8Array(100_000);
  await pubsub.publish({ ...message('t'), wire });
  return wire;
}

describe('the body of a message', () => {
  test('is not kept while its delivery or redelivery waits', async () => {
    const { pubsub, clock } = setUp();
    let end: (taken: Taken) => void = () => undefined;
    const seen: (string | undefined)[] = [];
    await pubsub.subscribe('t', { group: 'a', metadata: {} }, ({ messageId, wire }) => {
      seen.push(wire === undefined ? `${messageId} again` : messageId);
      return new Promise((resolve) => (end = resolve));
    });
    expect(await bytesAfter(pubsub)).toBeUndefined();
    end('redeliver');
    await settled();
    clock.advance(100);
    expect(seen).toEqual(['msg_x', 'msg_x again']);
  });
});
