/** The JetStream component on a real server: the suite of the port, what others write and read, streams, groups. */
import { headers } from '@nats-io/transport-node';
import { describe, expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { Gate, newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { pubsubSuite } from './pubsub.suite.ts';

const stand = new NatsStand();

pubsubSuite({ name: 'JetStream', make: async () => stand.make() });

describe('messages of other clients', () => {
  test('a message of ours is the bytes, with metadata as headers', async () => {
    const topic = newTopic();
    const metadata = { ttlInSeconds: '5', 'a b': 'spaces', line: 'one\ntwo', ü: 'ö' };
    await (await stand.connect()).publish(outbound(topic, 'one', metadata));
    const stored = await stand.manager.streams.getMessage(topic, { last_by_subj: topic });
    expect(Buffer.from(stored?.data ?? []).toString()).toBe('one');
    expect(stored?.header.get('ttlInSeconds')).toBe('5');
    expect(stored?.header.get('Nats-Msg-Id')).toBe('msg_one');
    const taker = new Taker();
    await taker.subscribe(await stand.connect(), topic, 'a');
    await taker.has(1);
    expect(taker.messages[0]).toMatchObject({ messageId: 'msg_one', metadata });
  });

  test('a message of theirs is delivered, with its headers and its place', async () => {
    const topic = newTopic();
    const taker = new Taker();
    await taker.subscribe(await stand.connect(), topic, 'checkout');
    const given = headers();
    given.set('tenant', 'blue');
    given.set('Nats-Msg-Id', 'theirs');
    const { seq, stream } = await stand.js.publish(topic, '{"id":"1"}', { headers: given });
    await taker.has(1);
    expect(taker.texts).toEqual(['{"id":"1"}']);
    expect(taker.messages[0]).toMatchObject({
      topic,
      metadata: { tenant: 'blue' },
      broker: { id: String(seq), stream, group: 'checkout', consumer: `checkout-${topic}` },
    });
    expect(taker.messages[0]?.brokerKey?.()).toMatch(/^[0-9a-f]{24}$/);
    expect(taker.messages[0]?.messageId).toBeUndefined();
  });

  test('unreadable metadata of other clients is logged, and the message is delivered without it', async () => {
    const topic = newTopic();
    const taker = new Taker();
    await taker.subscribe(await stand.connect(), topic, 'a');
    const given = headers();
    given.set('Sidelight-Metadata', '{');
    await stand.js.publish(topic, 'x', { headers: given });
    await taker.has(1);
    expect(taker.messages[0]?.metadata).toEqual({});
    expect(stand.made.told('warn')).toHaveLength(1);
  });

  test('two groups see one message under one key', async () => {
    const topic = newTopic();
    const [a, b] = [new Taker(), new Taker()];
    await a.subscribe(await stand.connect(), topic, 'a');
    await b.subscribe(await stand.connect(), topic, 'b');
    await stand.js.publish(topic, 'x');
    await Promise.all([a.has(1), b.has(1)]);
    const [one, other] = [a, b].map(({ messages }) => messages[0]?.brokerKey?.());
    expect(one).toHaveLength(24);
    expect(one).toBe(other);
  });

  test('one message id is stored once', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect();
    for (let i = 0; i < 3; i += 1) await pubsub.publish(outbound(topic, 'one'));
    expect((await stand.manager.streams.info(topic)).state.messages).toBe(1);
  });
});

describe('streams', () => {
  test('an existing stream that stores the topic is used, whatever its name', async () => {
    const topic = `${newTopic()}.eu`;
    const [first] = topic.split('.');
    await stand.manager.streams.add({ name: `ALL-${first}`, subjects: [`${first}.>`] });
    await (await stand.connect()).publish(outbound(topic, 'x'));
    expect((await stand.manager.streams.info(`ALL-${first}`)).state.messages).toBe(1);
  });

  test('a missing stream of streamName is created, and gets the next topic too', async () => {
    const [one, two] = [newTopic(), newTopic()];
    const pubsub = await stand.connect({ streamName: `S-${one}`, memoryStorage: 'true' });
    await pubsub.publish(outbound(one, 'x'));
    await pubsub.publish(outbound(two, 'y'));
    const { config } = await stand.manager.streams.info(`S-${one}`);
    expect(config).toMatchObject({ subjects: [one, two], storage: 'memory' });
  });

  test('a foreign stream of streamName that does not store the topic is unchanged, and the error says so', async () => {
    const [one, two] = [newTopic(), newTopic()];
    await stand.manager.streams.add({ name: `S-${one}`, subjects: [one] });
    const pubsub = await stand.connect({ streamName: `S-${one}` });
    // The server was asked and has answered, so no text about an unreachable server stands before the reason.
    const reason = new RegExp(`^the stream S-${one} does not store the subject ${two}; it stores ${one}$`);
    await expect(pubsub.publish(outbound(two, 'x'))).rejects.toThrow(reason);
    await expect(new Taker().subscribe(pubsub, two, 'a')).rejects.toThrow(reason);
  });

  test('the next publish creates a deleted stream again, and the subscriber gets the message', async () => {
    const topic = newTopic();
    const taker = new Taker();
    const pubsub = await stand.connect();
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'one'));
    await taker.has(1);
    await stand.manager.streams.delete(topic);
    await pubsub.publish(outbound(topic, 'two'));
    await taker.has(2);
    expect(taker.texts).toEqual(['one', 'two']);
    expect(stand.made.told('warn').join()).toContain('was gone. Sidelight created it again');
  });

  test.each(['a b', 'a.*', 'a.>', '.a', 'a..b'])('the topic "%s" cannot be a subject', async (topic) => {
    const pubsub = await stand.connect();
    const reason = /cannot be a subject of JetStream; expected words with dots/;
    await expect(pubsub.publish(outbound(topic, 'x'))).rejects.toThrow(reason);
    await expect(new Taker().subscribe(pubsub, topic, 'a')).rejects.toThrow(reason);
  });
});

describe('groups', () => {
  test('a new group gets the whole history, and a known one the messages it has not received', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect();
    for (const text of ['one', 'two']) await pubsub.publish(outbound(topic, text));
    const [first, later] = [new Taker(), new Taker()];
    const open = await first.subscribe(pubsub, topic, 'a');
    await first.has(2);
    await stand.pending(topic, `a-${topic}`, 0);
    await open.close();
    await pubsub.publish(outbound(topic, 'three'));
    await later.subscribe(pubsub, topic, 'a');
    await later.has(1);
    expect(first.texts).toEqual(['one', 'two']);
    expect(later.texts).toEqual(['three']);
    expect(await stand.consumers(topic)).toEqual([`a-${topic}`]);
  });

  test('with deliverPolicy new a new group begins with later messages', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect({ deliverPolicy: 'new' });
    expect(pubsub.features.keepsHistory).toBe(false);
    await pubsub.publish(outbound(topic, 'before'));
    const taker = new Taker();
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'after'));
    await taker.has(1);
    expect(taker.texts).toEqual(['after']);
  });

  test.each(['durableName', 'queueGroupName', 'consumerID'])(
    '%s names the group, whoever subscribes',
    async (name) => {
      const topic = newTopic();
      const [a, b] = [new Taker(), new Taker()];
      const pubsub = await stand.connect({ [name]: 'shared' });
      await a.subscribe(pubsub, topic, 'a');
      await b.subscribe(pubsub, topic, 'b');
      for (const text of ['1', '2', '3', '4']) await pubsub.publish(outbound(topic, text));
      const both = (): number => a.messages.length + b.messages.length;
      await Promise.race([a.until(() => both() === 4), b.until(() => both() === 4)]);
      expect([...a.texts, ...b.texts].toSorted()).toEqual(['1', '2', '3', '4']);
      expect(await stand.consumers(topic)).toEqual([`shared-${topic}`]);
    },
  );

  test('concurrency single holds for all topics of a group together', async () => {
    const topics = [newTopic(), newTopic()];
    const gates = Array.from({ length: 4 }, () => new Gate());
    let nth = 0;
    const taker = new Taker(() => gates[nth++]?.answer() ?? 'done');
    const pubsub = await stand.connect({ concurrency: 'single' });
    for (const topic of topics) await taker.subscribe(pubsub, topic, 'a');
    for (const topic of topics) for (const text of ['1', '2']) await pubsub.publish(outbound(topic, text));
    for (const [i, gate] of gates.entries()) {
      await taker.has(i + 1);
      gate.release('done');
    }
    expect(taker.mostOpen).toBe(1);
    expect(taker.messages).toHaveLength(4);
  });

  test('changed settings are applied to an existing consumer', async () => {
    const topic = newTopic();
    await (await new Taker().subscribe(await stand.connect(), topic, 'a')).close();
    await new Taker().subscribe(await stand.connect({ maxAckPending: '7', backOff: '1s,2s' }), topic, 'a');
    const { config } = await stand.manager.consumers.info(topic, `a-${topic}`);
    expect(config).toMatchObject({ max_ack_pending: 7, backoff: [1e9, 2e9] });
  });

  test('a consumer of that name for something else is unchanged, and the error says so', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect();
    await pubsub.publish(outbound(topic, 'x'));
    await stand.manager.consumers.add(topic, { durable_name: `a-${topic}`, ack_policy: 'explicit' });
    await expect(new Taker().subscribe(pubsub, topic, 'a')).rejects.toThrow(
      /exists already, for every subject; give another durableName/,
    );
  });
});
