/** The JetStream component when its server is not there, not willing, or goes away and comes back; what comes again. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createJetStreamPubSub } from '../../core/adapters/jetstream/pubsub.ts';
import type { LostConnection } from '../../core/ports/pubsub.ts';
import { LOOPBACK } from '../support/loopback-certificate.ts';
import { NatsServer, whyNoNats } from '../support/nats-server.ts';
import { NatsStand } from '../support/nats-stand.ts';
import { Connections, Gate, newTopic, outbound, Taker } from '../support/broker-parts.ts';

const PASSWORD = 'hunter2';
const stand = new NatsStand({ user: { name: 'me', password: PASSWORD } });
const url = (password = PASSWORD): { readonly natsURL: string } => ({
  natsURL: `nats://me:${password}@${stand.server.host}`,
});

describe('start', () => {
  test.each([
    [
      'nobody listens',
      () => ({ natsURL: '127.0.0.1:1' }),
      /^Cannot reach NATS at 127\.0\.0\.1:1: .*(refused|ECONNREFUSED)/i,
    ],
    ['the password is wrong', () => url('wrong'), /Cannot reach NATS at .*: .*Authorization Violation/i],
    ['there is no password', () => ({}), /Cannot reach NATS at .*: .*Authorization Violation/i],
    ['a setting is wrong', () => ({ ackWait: 'x' }), /^ackWait must be/],
  ])('rejects with the reason when %s', async (_, settings, reason) => {
    const started = stand.connect(settings());
    await expect(started).rejects.toThrow(reason);
    await expect(started).rejects.not.toThrow(PASSWORD);
  });

  test('is needed before a publish', async () => {
    await expect(stand.make().publish(outbound('t', 'x'))).rejects.toThrow('the component was not started');
  });
});

test('a message above the limit of the server is refused for good, and a topic that cannot be a subject too', async () => {
  const pubsub = await stand.connect(url());
  const refusal = async (topic: string, text: string): Promise<unknown> =>
    Promise.resolve(pubsub.publish(outbound(topic, text))).catch((error: unknown) => error);
  expect(await refusal(newTopic(), 'x'.repeat(1_100_000))).toMatchObject({
    isForGood: true,
    message: expect.stringMatching(/^'payload' max_payload size exceeded/),
  });
  expect(await refusal('a..b', 'x')).toMatchObject({ isForGood: true });
});

describe('a server that goes away and comes back', () => {
  test('publishes are refused meanwhile, subscriptions continue, nothing is lost', async () => {
    const topic = newTopic();
    const gate = new Gate();
    const taker = new Taker(({ messageId }) => (messageId === 'msg_open' ? gate.answer() : 'done'));
    const pubsub = await stand.connect(url());
    await taker.subscribe(pubsub, topic, 'a');
    for (const text of ['before', 'open']) await pubsub.publish(outbound(topic, text));
    await taker.has(2);

    await stand.server.kill();
    await stand.made.saying('is lost');
    for (let i = 0; i < 3; i += 1) {
      await expect(pubsub.publish(outbound(topic, 'meanwhile'))).rejects.toThrow(
        `Cannot reach NATS at ${stand.server.host}: `,
      );
    }
    await stand.server.start();
    await stand.made.saying(`The connection to NATS at ${stand.server.host} is back.`);
    await pubsub.publish(outbound(topic, 'after'));
    await taker.until(({ texts }) => texts.includes('after'));
    gate.release('done');
    // The server may not have kept that "before" was done: then it comes again. What is open here never does.
    expect(taker.texts[0]).toBe('before');
    expect(taker.texts.filter((text) => text !== 'before')).toEqual(['open', 'after']);
    await stand.pending(topic, `a-${topic}`, 0);
    expect(stand.made.told('warn').filter((line) => line.includes('is lost'))).toHaveLength(1);
    expect(stand.made.told('error')).toEqual([]);
    expect(stand.made.lines.join()).not.toContain(PASSWORD);
  });

  test('the end of an old message does not acknowledge a new one to which an emptied server gave the same number', async () => {
    const topic = newTopic();
    const gates = new Map(['old', 'new'].map((name) => [`msg_${name}`, new Gate()]));
    const taker = new Taker(async ({ messageId = '' }) => (await gates.get(messageId)?.answer()) ?? 'done');
    const pubsub = await stand.connect({ ...url(), memoryStorage: 'true', ackWait: '1h' });
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'old'));
    await taker.has(1);

    await stand.server.kill();
    await stand.made.saying('is lost');
    await stand.server.start();
    await stand.made.saying(`The connection to NATS at ${stand.server.host} is back.`);
    await pubsub.publish(outbound(topic, 'new'));
    await taker.has(2);
    expect(taker.texts).toEqual(['old', 'new']);
    expect(taker.messages.map(({ broker }) => broker?.['id'])).toEqual(['1', '1']);

    const ended = taker.open;
    gates.get('msg_old')?.release('done');
    while (taker.open === ended) await new Promise((go) => setImmediate(go));
    // A later publish is answered later: the server has received everything before it.
    await pubsub.publish(outbound(topic, 'witness'));
    await taker.has(3);
    await stand.pending(topic, `a-${topic}`, 1);
    const { ack_floor } = await stand.manager.consumers.info(topic, `a-${topic}`);
    expect(ack_floor.stream_seq).toBe(0);
    gates.get('msg_new')?.release('done');
    await stand.pending(topic, `a-${topic}`, 0);
    expect(taker.texts).toEqual(['old', 'new', 'witness']);
  });

  test('the component can be closed while the connection is lost', async () => {
    const pubsub = await stand.connect(url());
    await new Taker().subscribe(pubsub, newTopic(), 'a');
    await stand.server.kill();
    await pubsub.close();
    await expect(pubsub.publish(outbound('t', 'x'))).rejects.toThrow('the component is closed');
    await stand.server.start();
  });
});

describe('redelivery', () => {
  test('open messages of a running consumer are not redelivered, however long it takes', async () => {
    const topic = newTopic();
    const gate = new Gate();
    const [holding, other] = [new Taker(gate.answer), new Taker()];
    const pubsub = await stand.connect({ ...url(), ackWait: '600ms' });
    await holding.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'held'));
    await holding.has(1);
    await other.subscribe(await stand.connect({ ...url(), ackWait: '600ms' }), topic, 'a');
    // Given back five times, with growing pauses of more than ackWait together.
    const witness = new Taker(() => (witness.messages.length < 5 ? 'redeliver' : 'done'));
    await witness.subscribe(pubsub, topic, 'b');
    await witness.has(5);
    expect([holding.texts, other.texts]).toEqual([['held'], []]);
    gate.release('done');
    await stand.pending(topic, `a-${topic}`, 0);
  });

  test('messages that a closed consumer returned are redelivered to another one at once', async () => {
    const topic = newTopic();
    const gate = new Gate();
    const [leaving, staying] = [new Taker(gate.answer), new Taker()];
    const pubsub = await stand.connect({ ...url(), ackWait: '1h' });
    const open = await leaving.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'x'));
    await leaving.has(1);
    await staying.subscribe(await stand.connect({ ...url(), ackWait: '1h' }), topic, 'a');
    const closed = open.close();
    gate.release('redeliver');
    await closed;
    await staying.has(1);
    expect(staying.texts).toEqual(['x']);
  });

  test('messages of a dead consumer are redelivered after ackWait', async () => {
    const topic = newTopic();
    const taker = new Taker();
    const pubsub = await stand.connect({ ...url(), ackWait: '100ms' });
    await (await new Taker().subscribe(pubsub, topic, 'a')).close();
    await pubsub.publish(outbound(topic, 'orphan'));
    const dead = await stand.js.consumers.get(topic, `a-${topic}`);
    expect((await dead.next())?.string()).toBe('orphan');
    await taker.subscribe(pubsub, topic, 'a');
    await taker.has(1);
    expect(taker.texts).toEqual(['orphan']);
  });

  test('backOff sets the waits, maxDeliver their number, and the last delivery is logged', async () => {
    const topic = newTopic();
    const taker = new Taker(() => 'redeliver');
    const pubsub = await stand.connect({ ...url(), backOff: '100ms,150ms', maxDeliver: '3' });
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'x'));
    await stand.made.saying('came 3 times (maxDeliver): the server does not send it again');
    // The server sends the message again also while an earlier delivery still waits for its turn: on a busy machine the two are one.
    expect([...new Set(taker.texts)]).toEqual(['x']);
    expect(taker.texts.length).toBeLessThanOrEqual(3);
    expect(taker.texts.length).toBeGreaterThan(1);
  });
});

describe('over TLS', () => {
  const missing = whyNoNats();
  const made = new Connections({}, createJetStreamPubSub);
  let server: NatsServer | undefined;
  beforeAll(async () => {
    if (missing === undefined) server = await NatsServer.start({ tls: { ...LOOPBACK, verify: true } });
  });
  beforeEach(() => async () => made.close());
  afterAll(async () => server?.stop());
  const own = { tls_client_cert: LOOPBACK.cert, tls_client_key: LOOPBACK.key };

  test('messages pass where each side trusts the certificate of the other', async () => {
    const topic = newTopic();
    const taker = new Taker();
    const pubsub = await made.start({ natsURL: `tls://${server?.host}`, caCert: LOOPBACK.cert, ...own });
    await taker.subscribe(pubsub, topic, 'a');
    await pubsub.publish(outbound(topic, 'x'));
    await taker.has(1);
    expect(taker.texts).toEqual(['x']);
  });

  test('a server with an unknown certificate is refused', async () => {
    const started = made.start({ natsURL: `tls://${server?.host}`, ...own });
    await expect(started).rejects.toThrow(/Cannot reach NATS at .*self.signed certificate/);
  });

  test('a client without a certificate is refused', async () => {
    const started = made.start({ natsURL: `tls://${server?.host}`, caCert: LOOPBACK.cert });
    await expect(started).rejects.toThrow(/Cannot reach NATS at /);
  });
});

test('a lost server is reported, with each attempt to reconnect and the time of the next one', async () => {
  const pubsub = await stand.connect(url());
  const told: (LostConnection | undefined)[] = [];
  let look = (): void => undefined;
  pubsub.onConnection?.(() => {
    told.push(pubsub.lost?.());
    look();
  });
  const until = async (tries: number | undefined): Promise<void> => {
    while (told.at(-1)?.tries !== tries || told.length === 0) await new Promise<void>((go) => (look = go));
  };
  await stand.server.kill();
  await until(3);
  expect(told.map((lost) => lost?.tries)).toEqual([0, 1, 2, 3]);
  const nextTries = told.slice(1).map((lost) => lost?.nextTryMs ?? 0);
  expect(nextTries).toEqual(nextTries.toSorted((a, b) => a - b));
  await stand.server.start();
  await until(undefined);
  expect(pubsub.lost?.()).toBeUndefined();
});
