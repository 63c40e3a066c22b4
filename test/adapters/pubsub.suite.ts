/** The suite of every pub/sub component behind ports/pubsub.ts; a component runs it by calling `pubsubSuite`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type {
  BrokerSubscription,
  InboundMessage,
  OutboundMessage,
  PubSub,
  Taken,
} from '../../core/ports/pubsub.ts';

export interface PubSubMaker {
  readonly name: string;
  /** One more connection to the same broker; topics of different test runs must not meet. */
  make(): Promise<PubSub>;
}

let count = 0;

/** A topic no other test uses. */
function newTopic(): string {
  return `topic-${process.pid}-${++count}`;
}

function message(topic: string, text: string): OutboundMessage {
  return {
    messageId: `msg_${text}`,
    topic,
    wire: JSON.stringify({ data: text }),
    contentType: 'application/cloudevents+json',
    metadata: {},
  };
}

/** Collects what arrives, and lets a test wait for it. */
class Inbox {
  readonly taken: InboundMessage[] = [];
  readonly #answer: (message: InboundMessage, count: number) => Taken | Promise<Taken>;
  #waiting: { readonly count: number; readonly done: () => void }[] = [];

  constructor(answer: (message: InboundMessage, count: number) => Taken | Promise<Taken> = () => 'done') {
    this.#answer = answer;
  }

  readonly take = async (inbound: InboundMessage): Promise<Taken> => {
    this.taken.push(inbound);
    for (const { done } of this.#waiting.filter((one) => one.count <= this.taken.length)) done();
    this.#waiting = this.#waiting.filter((one) => one.count > this.taken.length);
    return this.#answer(inbound, this.taken.length);
  };

  async has(count: number): Promise<void> {
    if (this.taken.length < count) {
      await new Promise<void>((done) => void this.#waiting.push({ count, done }));
    }
  }

  texts(): string[] {
    return this.taken.map((one) => {
      // Handed over once more it may come without its bytes: they are those of the first time.
      const { wire } = this.taken.find(({ messageId }) => messageId === one.messageId) ?? one;
      return String((JSON.parse(textOf(wire ?? '')) as { data: unknown }).data);
    });
  }
}

function textOf(wire: string | Uint8Array): string {
  return typeof wire === 'string' ? wire : Buffer.from(wire).toString();
}

/** Registers the suite for one component. */
export function pubsubSuite(maker: PubSubMaker): void {
  describe(`ports/pubsub: ${maker.name}`, () => {
    let first: PubSub;
    let second: PubSub;
    const started: PubSub[] = [];
    const connect = async (): Promise<PubSub> => {
      const made = await maker.make();
      await made.start();
      started.push(made);
      return made;
    };
    beforeEach(async () => {
      first = await connect();
      second = await connect();
    });
    afterEach(async () => {
      await Promise.all(started.splice(0).map(async (one) => one.close()));
    });
    const subscribe = async (
      pubsub: PubSub,
      topic: string,
      group: string,
      inbox: Inbox,
      metadata: Readonly<Record<string, string>> = {},
    ): Promise<BrokerSubscription> => pubsub.subscribe(topic, { group, metadata }, inbox.take);

    test('every group gets every message, with its id, topic and bytes', async () => {
      const topic = newTopic();
      const [a, b] = [new Inbox(), new Inbox()];
      await subscribe(first, topic, 'a', a);
      await subscribe(second, topic, 'b', b);
      await first.publish(message(topic, 'one'));
      await Promise.all([a.has(1), b.has(1)]);
      for (const inbox of [a, b]) {
        expect(inbox.taken[0]).toMatchObject({ messageId: 'msg_one', topic });
        expect(textOf(inbox.taken[0]?.wire ?? '')).toBe('{"data":"one"}');
      }
    });

    test('consumers of one group share: each message goes to one of them', async () => {
      const topic = newTopic();
      const [a, b] = [new Inbox(), new Inbox()];
      await subscribe(first, topic, 'shared', a);
      await subscribe(second, topic, 'shared', b);
      const all: string[] = [];
      // A broker may deliver several messages to the first consumer that asks, so there are more until each consumer has had one.
      const hasEach = (): boolean => a.taken.length > 0 && b.taken.length > 0;
      while (all.length < 20 || (!hasEach() && all.length < 1000)) {
        all.push(String(all.length));
        await first.publish(message(topic, all.at(-1) ?? ''));
      }
      while (a.taken.length + b.taken.length < all.length) {
        await Promise.race([a.has(a.taken.length + 1), b.has(b.taken.length + 1)]);
      }
      expect([...a.texts(), ...b.texts()].toSorted()).toEqual(all.toSorted());
      expect(a.taken.length).toBeGreaterThan(0);
      expect(b.taken.length).toBeGreaterThan(0);
    });

    test('topics do not mix', async () => {
      const [mine, other] = [newTopic(), newTopic()];
      const inbox = new Inbox();
      await subscribe(first, mine, 'a', inbox);
      await first.publish(message(other, 'other'));
      await first.publish(message(mine, 'mine'));
      await inbox.has(1);
      expect(inbox.texts()).toEqual(['mine']);
    });

    test('bytes arrive unchanged', async () => {
      const topic = newTopic();
      const inbox = new Inbox();
      await subscribe(first, topic, 'a', inbox);
      await first.publish({ ...message(topic, 'x'), wire: new Uint8Array([0, 255, 10]) });
      await inbox.has(1);
      expect(Buffer.from(inbox.taken[0]?.wire ?? '')).toEqual(Buffer.from([0, 255, 10]));
    });

    test('a publish does not wait until a subscriber has handled the message', async () => {
      const topic = newTopic();
      let release: (taken: Taken) => void = () => undefined;
      const inbox = new Inbox(async () => new Promise<Taken>((resolve) => (release = resolve)));
      await subscribe(first, topic, 'a', inbox);
      await first.publish(message(topic, 'one'));
      await inbox.has(1);
      expect(inbox.texts()).toEqual(['one']);
      release('done');
    });

    test('a message answered with redeliver is delivered again', async () => {
      const topic = newTopic();
      const inbox = new Inbox((_message, nth) => (nth === 1 ? 'redeliver' : 'done'));
      await subscribe(first, topic, 'a', inbox);
      await first.publish(message(topic, 'again'));
      await inbox.has(2);
      expect(inbox.texts()).toEqual(['again', 'again']);
    });

    test('a subscriber that throws gets the message again, and the others do not notice', async () => {
      const topic = newTopic();
      const [broken, sound] = [
        new Inbox(async (_message, nth) => (nth === 1 ? Promise.reject(new Error('broken')) : 'done')),
        new Inbox(),
      ];
      await subscribe(first, topic, 'a', broken);
      await subscribe(first, topic, 'b', sound);
      await first.publish(message(topic, 'x'));
      await Promise.all([broken.has(2), sound.has(1)]);
      expect(sound.taken).toHaveLength(1);
    });

    test('close of a subscription waits for the running take, and nothing comes afterwards', async () => {
      const topic = newTopic();
      let release: (taken: Taken) => void = () => undefined;
      const inbox = new Inbox(async () => new Promise<Taken>((resolve) => (release = resolve)));
      const open = await subscribe(first, topic, 'a', inbox);
      await first.publish(message(topic, 'one'));
      await inbox.has(1);
      const order: string[] = [];
      const closed = open.close().then(() => order.push('closed'));
      order.push('released');
      release('done');
      await closed;
      expect(order).toEqual(['released', 'closed']);
      await second.publish(message(topic, 'two'));
      expect(inbox.taken).toHaveLength(1);
      await open.close();
    });

    test('a closed component refuses and says so', async () => {
      const topic = newTopic();
      await first.close();
      await expect(first.publish(message(topic, 'x'))).rejects.toThrow(/closed/);
      await expect(subscribe(first, topic, 'a', new Inbox())).rejects.toThrow(/closed/);
      await first.close();
    });

    test('features and capabilities agree', async () => {
      expect(Object.values(first.features).every((value) => typeof value === 'boolean')).toBe(true);
      expect(first.capabilities.includes('SUBSCRIBE_WILDCARDS')).toBe(first.features.wildcards);
      expect(first.publishBulk !== undefined).toBe(first.features.bulkPublish);
    });
  });
}
