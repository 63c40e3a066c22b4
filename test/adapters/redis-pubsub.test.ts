/** The Redis Streams component on a real server: the suite of the port, what others write and read, groups. */
import { describe, expect, test } from 'vitest';
import { Gate, newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';
import { pubsubSuite } from './pubsub.suite.ts';

const stand = new RedisStand();

pubsubSuite({ name: 'Redis Streams', make: async () => stand.made.make({ redisHost: stand.server.host }) });

describe('entries of other clients', () => {
  test('an entry of ours has the layout they read', async () => {
    const topic = newTopic();
    await (await stand.connect()).publish(outbound(topic, 'one', { ttlInSeconds: '5' }));
    const [entry] = await stand.redis.xrange(topic, '-', '+');
    expect(entry?.[1]).toEqual([
      'data',
      'one',
      'metadata',
      '{"ttlInSeconds":"5","sidelight-message-id":"msg_one"}',
    ]);
  });

  test('an entry of theirs is delivered, with its metadata and its place', async () => {
    const topic = newTopic();
    const taker = new Taker();
    await taker.subscribe(await stand.connect(), topic, 'checkout');
    const id = await stand.redis.xadd(topic, '*', 'data', '{"id":"1"}', 'metadata', '{"ttlInSeconds":"5"}');
    await taker.has(1);
    expect(taker.texts).toEqual(['{"id":"1"}']);
    expect(taker.messages[0]).toMatchObject({
      topic,
      metadata: { ttlInSeconds: '5' },
      broker: { id, group: 'checkout', consumer: expect.stringMatching(/^sidelight-[0-9a-f]{8}$/) },
    });
    expect(taker.messages[0]?.brokerKey?.()).toMatch(/^[0-9a-f]{24}$/);
    expect(taker.messages[0]?.messageId).toBeUndefined();
  });

  test.each([
    ['without metadata', ['data', 'x'], 'x', 0],
    ['with metadata that is no JSON', ['data', 'x', 'metadata', '{'], 'x', 1],
    ['without data', ['other', 'x'], '', 0],
  ])('an entry %s is delivered too', async (_, fields, text, warnings) => {
    const topic = newTopic();
    const taker = new Taker();
    await taker.subscribe(await stand.connect(), topic, 'a');
    await stand.redis.xadd(topic, '*', ...fields);
    await taker.has(1);
    expect(taker.texts).toEqual([text]);
    expect(taker.messages[0]?.metadata).toEqual({});
    expect(stand.made.told('warn')).toHaveLength(warnings);
  });

  test('two groups see one entry under one key', async () => {
    const topic = newTopic();
    const [a, b] = [new Taker(), new Taker()];
    await a.subscribe(await stand.connect(), topic, 'a');
    await b.subscribe(await stand.connect(), topic, 'b');
    await stand.redis.xadd(topic, '*', 'data', 'x');
    await Promise.all([a.has(1), b.has(1)]);
    const [one, other] = [a, b].map(({ messages }) => messages[0]?.brokerKey?.());
    expect(one).toHaveLength(24);
    expect(one).toBe(other);
  });

  test('maxLenApprox trims the stream', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect({ maxLenApprox: '10' });
    await Promise.all(
      Array.from({ length: 500 }, async (_, n) => pubsub.publish(outbound(topic, String(n)))),
    );
    expect(await stand.redis.xlen(topic)).toBeLessThan(500);
  });
});

describe('groups', () => {
  test('a new group gets the whole history, and a known one the entries it has not received', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect();
    for (const text of ['one', 'two']) await pubsub.publish(outbound(topic, text));
    const [first, later] = [new Taker(), new Taker()];
    const open = await first.subscribe(pubsub, topic, 'a');
    await first.has(2);
    await open.close();
    await pubsub.publish(outbound(topic, 'three'));
    await later.subscribe(pubsub, topic, 'a');
    await later.has(1);
    expect(first.texts).toEqual(['one', 'two']);
    expect(later.texts).toEqual(['three']);
  });

  test('a new group on a stream with entries is logged, a known one is not', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect();
    for (const text of ['one', 'two']) await pubsub.publish(outbound(topic, text));
    const open = await new Taker().subscribe(pubsub, topic, 'new');
    await open.close();
    await new Taker().subscribe(pubsub, topic, 'new');
    expect(stand.made.told('info')).toEqual([
      `info redis: The consumer group new is new to ${topic}: it begins with the 2 entries that are already in the stream.`,
    ]);
  });

  test('consumerID names the group, for every subscribing app', async () => {
    const topic = newTopic();
    const [a, b] = [new Taker(), new Taker()];
    const pubsub = await stand.connect({ consumerID: 'shared' });
    await a.subscribe(pubsub, topic, 'a');
    await b.subscribe(pubsub, topic, 'b');
    for (const text of ['1', '2', '3', '4']) await pubsub.publish(outbound(topic, text));
    const both = (): number => a.messages.length + b.messages.length;
    await Promise.race([a.until(() => both() === 4), b.until(() => both() === 4)]);
    expect([...a.texts, ...b.texts].toSorted()).toEqual(['1', '2', '3', '4']);
    expect(await stand.groups(topic)).toEqual(['shared']);
  });

  test('concurrency holds for all topics of a group together', async () => {
    const topics = [newTopic(), newTopic()];
    const gates = Array.from({ length: 6 }, () => new Gate());
    let nth = 0;
    const taker = new Taker(() => gates[nth++]?.answer() ?? 'done');
    const pubsub = await stand.connect({ concurrency: '2' });
    for (const topic of topics) await taker.subscribe(pubsub, topic, 'a');
    for (const topic of topics)
      for (const text of ['1', '2', '3']) await pubsub.publish(outbound(topic, text));
    for (const [i, gate] of gates.entries()) {
      await taker.has(Math.min(i + 2, gates.length));
      gate.release('done');
    }
    expect(taker.messages).toHaveLength(6);
    expect(taker.mostOpen).toBe(2);
  });

  test('a lost group is created again with a warning, and the entries of the stream are delivered again', async () => {
    const topic = newTopic();
    const taker = new Taker();
    const pubsub = await stand.connect();
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'one'));
    await taker.has(1);
    await stand.redis.xgroup('DESTROY', topic, 'a');
    await taker.has(2);
    expect(taker.texts).toEqual(['one', 'one']);
    await stand.redis.del(topic);
    await pubsub.publish(outbound(topic, 'two'));
    await taker.has(3);
    expect(taker.texts.at(-1)).toBe('two');
    expect(stand.made.told('warn')).toHaveLength(2);
    expect(stand.made.told('warn')[0]).toContain(`The consumer group a of ${topic} was gone`);
    expect(stand.made.told('error')).toEqual([]);
  });
});
