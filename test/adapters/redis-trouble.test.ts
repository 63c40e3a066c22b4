/** The Redis Streams component when its server is not there, not willing, or goes away and comes back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PublishFailure } from '../../core/ports/pubsub.ts';
import { LOOPBACK } from '../support/loopback-certificate.ts';
import { Connections, newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { RedisServer, whyNoRedis } from '../support/redis-server.ts';
import { RedisStand } from '../support/redis-stand.ts';

const PASSWORD = 'hunter2';
const stand = new RedisStand({ password: PASSWORD });
const secret = { redisPassword: PASSWORD };

describe('start', () => {
  test.each([
    ['nobody listens', { redisHost: '127.0.0.1:1' }, /^Cannot reach Redis at 127\.0\.0\.1:1: .*ECONNREFUSED/],
    ['the password is wrong', { redisPassword: 'wrong' }, /Cannot reach Redis at .*: WRONGPASS/],
    ['there is no password', {}, /Cannot reach Redis at .*: NOAUTH/],
    ['there is no such user', { ...secret, redisUsername: 'nobody' }, /WRONGPASS/],
    ['there is no such database', { ...secret, redisDB: '99' }, /DB index is out of range/],
    ['a setting is wrong', { queueDepth: 'x' }, /^queueDepth must be/],
  ])('rejects with the reason when %s', async (_, settings, reason) => {
    await expect(stand.connect(settings)).rejects.toThrow(reason);
    await stand.connections(0);
  });

  test('is needed before a publish', async () => {
    const pubsub = stand.made.make({ redisHost: stand.server.host });
    await expect(pubsub.publish(outbound('t', 'x'))).rejects.toThrow('the component was not started');
  });

  test('uses user, password and database', async () => {
    const topic = newTopic();
    const pubsub = await stand.connect({ ...secret, redisUsername: 'default', redisDB: '5' });
    await pubsub.publish(outbound(topic, 'x'));
    expect(await stand.redis.exists(topic)).toBe(0);
    await stand.redis.select(5);
    expect(await stand.redis.xlen(topic)).toBe(1);
    await stand.redis.select(0);
  });
});

test('publish and subscribe fail on a key that is no stream', async () => {
  const topic = newTopic();
  const pubsub = await stand.connect(secret);
  await stand.redis.set(topic, 'text');
  await expect(pubsub.publish(outbound(topic, 'x'))).rejects.toThrow(/^WRONGTYPE/);
  await expect(new Taker().subscribe(pubsub, topic, 'a')).rejects.toThrow(/^WRONGTYPE/);
});

test('an error that a retry cannot fix is refused for good, one that may pass is not', async () => {
  const [text, full, topic] = [newTopic(), newTopic(), newTopic()];
  const pubsub = await stand.connect(secret);
  const refusal = async (of: string): Promise<unknown> =>
    Promise.resolve(pubsub.publish(outbound(of, 'x'))).catch((error: unknown) => error);
  await stand.redis.set(text, 'text');
  expect(await refusal(text)).toMatchObject({ isForGood: true, status: 503 });
  await stand.redis.xadd(full, '18446744073709551615-18446744073709551615', 'a', 'b');
  expect(await refusal(full)).toMatchObject({ isForGood: true });
  await stand.redis.config('SET', 'maxmemory', '1');
  expect(await refusal(topic)).toMatchObject({ isForGood: false, message: expect.stringMatching(/^OOM /) });
  await stand.redis.config('SET', 'maxmemory', '0');
  expect(await refusal(topic)).toBeUndefined();
});

test('a message above the limit of the server is refused for good, and the others go', async () => {
  const topic = newTopic();
  await stand.redis.config('SET', 'proto-max-bulk-len', '1048576');
  try {
    const pubsub = await stand.connect(secret);
    const publish = async (text: string): Promise<unknown> =>
      Promise.resolve(pubsub.publish(outbound(topic, text))).catch((error: unknown) => error);
    const large = 'é'.repeat(600_000);
    expect(await Promise.all([publish('before'), publish(large), publish('behind')])).toMatchObject([
      undefined,
      {
        isForGood: true,
        status: 400,
        message: 'the message has more than 1 MiB, which the server takes at most (proto-max-bulk-len)',
      },
      undefined,
    ]);
    expect(await stand.redis.xlen(topic)).toBe(2);
  } finally {
    await stand.redis.config('SET', 'proto-max-bulk-len', '536870912');
  }
});

test('a limit that was lowered meanwhile is learned with the next connection', async () => {
  const topic = newTopic();
  const pubsub = await stand.connect(secret);
  await stand.redis.config('SET', 'proto-max-bulk-len', '1048576');
  try {
    const large = outbound(topic, 'x'.repeat(1_200_000));
    // The server closes the connection; whether its answer arrives before that is not certain.
    await expect(pubsub.publish(large)).rejects.toBeInstanceOf(PublishFailure);
    await expect
      .poll(async () => Promise.resolve(pubsub.publish(large)).catch((error: unknown) => error))
      .toMatchObject({ message: expect.stringContaining('which the server takes at most') });
  } finally {
    await stand.redis.config('SET', 'proto-max-bulk-len', '536870912');
  }
});

test('a user who may not ask for the limit publishes', async () => {
  const topic = newTopic();
  await stand.redis.call('ACL', 'SETUSER', 'asks-nothing', 'on', '>secret', '~*', '&*', '+@all', '-config');
  const pubsub = await stand.connect({ redisUsername: 'asks-nothing', redisPassword: 'secret' });
  await pubsub.publish(outbound(topic, 'x'.repeat(10)));
  expect(await stand.redis.xlen(topic)).toBe(1);
});

test('a user who may not count entries subscribes to a stream with some', async () => {
  const topic = newTopic();
  await stand.redis.call('ACL', 'SETUSER', 'counts-nothing', 'on', '>secret', '~*', '&*', '+@all', '-xlen');
  const pubsub = await stand.connect({ redisUsername: 'counts-nothing', redisPassword: 'secret' });
  await pubsub.publish(outbound(topic, 'before'));
  const taker = new Taker();
  await taker.subscribe(pubsub, topic, 'a');
  await taker.has(1);
  expect(taker.messages).toHaveLength(1);
});

describe('a server that goes away and comes back', () => {
  test('publishes are refused meanwhile, subscriptions continue', async () => {
    const [topic, later] = [newTopic(), newTopic()];
    const [taker, laterTaker] = [new Taker(), new Taker()];
    const pubsub = await stand.connect(secret);
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'before'));
    await taker.has(1);

    await stand.server.kill();
    const refused = new RegExp(`^Cannot reach Redis at ${stand.server.host}: `);
    for (let i = 0; i < 3; i += 1) {
      await expect(pubsub.publish(outbound(topic, 'meanwhile'))).rejects.toThrow(refused);
    }
    await laterTaker.subscribe(pubsub, later, 'a');
    await stand.server.start();

    await stand.made.saying(`The connection to Redis at ${stand.server.host} is back.`);
    await pubsub.publish(outbound(topic, 'after'));
    await pubsub.publish(outbound(later, 'after'));
    await Promise.all([taker.has(2), laterTaker.has(1)]);
    // The server kept nothing: the group was made again.
    expect(taker.texts).toEqual(['before', 'after']);
    expect(laterTaker.texts).toEqual(['after']);
    expect(stand.made.told('warn').filter((line) => line.includes('is lost'))).toHaveLength(1);
    expect(stand.made.told('warn').filter((line) => line.includes('created it again'))).toHaveLength(1);
    expect(stand.made.told('error')).toEqual([]);
    expect(stand.made.lines.join()).not.toContain(PASSWORD);
  });

  test('the component can be closed while the connection is lost', async () => {
    const pubsub = await stand.connect(secret);
    await new Taker().subscribe(pubsub, newTopic(), 'a');
    await stand.server.kill();
    await pubsub.close();
    await expect(pubsub.publish(outbound('t', 'x'))).rejects.toThrow('the component is closed');
    await stand.server.start();
    await stand.connections(0);
  });
});

describe('over TLS', () => {
  const missing = whyNoRedis();
  const made = new Connections();
  let server: RedisServer | undefined;
  beforeAll(async () => {
    if (missing === undefined) server = await RedisServer.start({ tls: LOOPBACK });
  });
  beforeEach(() => async () => made.close());
  afterAll(async () => server?.stop());

  test('messages pass where the certificate is trusted', async () => {
    const topic = newTopic();
    const taker = new Taker();
    const settings = { redisHost: server?.host ?? '', enableTLS: 'true', caCert: LOOPBACK.cert };
    const pubsub = await made.start(settings);
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'x'));
    await taker.has(1);
    expect(taker.texts).toEqual(['x']);
  });

  test('a server with an unknown certificate is refused', async () => {
    const settings = { redisHost: server?.host ?? '', enableTLS: 'true' };
    await expect(made.start(settings)).rejects.toThrow(/Cannot reach Redis at .*: self-signed certificate/);
  });
});
