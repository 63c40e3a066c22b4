/** The Redis Streams component on a real server: what comes again, from whom, and how a consumer leaves. */
import { expect, test } from 'vitest';
import { Gate, newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';

const stand = new RedisStand();

test('entries of a dead consumer are redelivered to a running one, those of a running one are not', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const [holding, other] = [new Taker(gate.answer), new Taker()];
  const pubsub = await stand.connect({ concurrency: '1' });
  await holding.subscribe(pubsub, topic, 'a');
  for (const text of ['held', 'waiting']) await pubsub.publish(outbound(topic, text));
  await stand.pending(topic, 2);
  await pubsub.publish(outbound(topic, 'orphan'));
  await stand.redis.xreadgroup('GROUP', 'a', 'dead', 'STREAMS', topic, '>');
  await other.subscribe(await stand.connect(), topic, 'a');
  await other.has(1);
  // The first two were read earlier: they would have come before it, were they not kept.
  expect(other.texts).toEqual(['orphan']);
  expect(holding.texts).toEqual(['held']);
  gate.release('done');
});

test('entries of a closed consumer are redelivered to another one at once, and its name is removed', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const [leaving, staying] = [new Taker(gate.answer), new Taker()];
  const slow = { processingTimeout: '1h', redeliverInterval: '20' };
  const open = await leaving.subscribe(await stand.connect(slow), topic, 'a');
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await leaving.has(1);
  await staying.subscribe(await stand.connect(slow), topic, 'a');
  const closed = open.close();
  gate.release('redeliver');
  await closed;
  await staying.has(1);
  expect(staying.texts).toEqual(['x']);
  const names = (await stand.consumers(topic)).filter((name) => name !== 'sidelight-left');
  expect(names).toEqual([staying.messages[0]?.broker?.['consumer']]);
});

test('an entry that ends here during a claim is not delivered again', async () => {
  const topic = newTopic();
  // Every entry is asked for while it is open, and many answers come together with that to its acknowledgement.
  const taker = new Taker(() => new Promise((end) => setImmediate(end, 'done')));
  const pubsub = await stand.connect({ processingTimeout: '1ms', redeliverInterval: '1' });
  await taker.subscribe(pubsub, topic, 'a');
  const texts = Array.from({ length: 3000 }, (_, n) => String(n));
  for (let from = 0; from < texts.length; from += 50)
    await Promise.all(
      texts.slice(from, from + 50).map(async (text) => pubsub.publish(outbound(topic, text))),
    );
  await stand.pending(topic, 0);
  expect(taker.texts.toSorted()).toEqual(texts.toSorted());
});

test('with a processingTimeout of 0 nothing is redelivered', async () => {
  const topic = newTopic();
  const [taker, witness] = [new Taker(() => 'redeliver'), new Taker(() => 'redeliver')];
  const pubsub = await stand.connect({ processingTimeout: '0', redeliverInterval: '1' });
  await taker.subscribe(pubsub, topic, 'a');
  await witness.subscribe(await stand.connect(), topic, 'b');
  await pubsub.publish(outbound(topic, 'x'));
  await Promise.all([taker.has(1), witness.has(2)]);
  expect(taker.texts).toEqual(['x']);
});

test('an entry that was deleted while it was open is forgotten', async () => {
  const topic = newTopic();
  const taker = new Taker(() => 'redeliver');
  await taker.subscribe(
    await stand.connect({ processingTimeout: '1h', redeliverInterval: '1h' }),
    topic,
    'a',
  );
  const id = await stand.redis.xadd(topic, '*', 'data', 'x');
  await taker.has(1);
  await stand.redis.xdel(topic, String(id));
  await stand.cut();
  await stand.pending(topic, 0);
  expect(taker.messages).toHaveLength(1);
});

test('an id that is written again is a new entry, which is delivered and does not end with the old one', async () => {
  const topic = newTopic();
  const gates = [new Gate(), new Gate()];
  const taker = new Taker(async () => (await gates[taker.messages.length - 1]?.answer()) ?? 'done');
  await taker.subscribe(await stand.connect({ processingTimeout: '1h' }), topic, 'a');
  await stand.redis.xadd(topic, '1-1', 'data', 'old');
  await taker.has(1);
  await stand.redis.del(topic);
  await stand.made.saying('was gone. Sidelight created it again');
  await stand.redis.xadd(topic, '1-1', 'data', 'new');
  await taker.has(2);
  gates[0]?.release('done');
  while (taker.open > 1) await new Promise((go) => setImmediate(go));
  await stand.redis.xadd(topic, '1-2', 'data', 'witness');
  await taker.has(3);
  await stand.pending(topic, 1);
  expect(await stand.redis.xpending(topic, 'a', '-', '+', 10)).toEqual([expect.arrayContaining(['1-1'])]);
  gates[1]?.release('done');
  await stand.pending(topic, 0);
  expect(taker.texts).toEqual(['old', 'new', 'witness']);
});

test('after a cut connection open entries are not delivered twice, and returned ones are delivered again', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const taker = new Taker(({ wire }) => (textOf(wire ?? '') === 'open' ? gate.answer() : 'redeliver'));
  const pubsub = await stand.connect({ processingTimeout: '1h' });
  await taker.subscribe(pubsub, topic, 'a');
  for (const text of ['open', 'back']) await pubsub.publish(outbound(topic, text));
  await taker.has(2);
  await stand.cut();
  await taker.has(3);
  expect(taker.texts).toEqual(['open', 'back', 'back']);
  gate.release('done');
  await stand.pending(topic, 1);
});

test('the end of each entry is acknowledged', async () => {
  const topic = newTopic();
  const taker = new Taker();
  const pubsub = await stand.connect();
  await taker.subscribe(pubsub, topic, 'a');
  await Promise.all(Array.from({ length: 300 }, async (_, n) => pubsub.publish(outbound(topic, String(n)))));
  await taker.has(300);
  await stand.pending(topic, 0);
  expect(new Set(taker.texts).size).toBe(300);
  expect(taker.messages).toHaveLength(300);
});

test('close ends every connection and leaves no consumer', async () => {
  const topics = [newTopic(), newTopic()];
  const pubsub = await stand.connect();
  for (const topic of topics) await new Taker().subscribe(pubsub, topic, 'a');
  await pubsub.close();
  // The test's own is left.
  await stand.connections(0);
  for (const topic of topics) expect(await stand.consumers(topic)).toEqual([]);
});

test('close waits for the running take, and the group knows the consumer until then', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const taker = new Taker(gate.answer);
  const open = await taker.subscribe(await stand.connect(), topic, 'a');
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await taker.has(1);
  let isClosed = false;
  const closed = open.close().then(() => (isClosed = true));
  // The component's reader has gone; the one for commands and the test's own are left.
  await stand.connections(1);
  for (let i = 0; i < 20; i += 1) await stand.redis.ping();
  expect(isClosed).toBe(false);
  expect(await stand.consumers(topic)).toHaveLength(1);
  gate.release('done');
  await closed;
  expect(await stand.consumers(topic)).toEqual([]);
});

test('trimmed entries that another consumer of the group has read are not lost for a later consumer', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const other = new Taker(({ wire }) => (textOf(wire ?? '') === 'held' ? gate.answer() : 'done'));
  await other.subscribe(await stand.connect({ concurrency: '1' }), topic, 'a');
  const pubsub = await stand.connect({ maxLenApprox: '1' });
  for (let n = 1; n <= 300; n += 1) {
    await pubsub.publish(outbound(topic, String(n)));
    await other.has(n);
  }
  expect(await stand.redis.xlen(topic)).toBeLessThan(300);
  // `other` is still subscribed; this message keeps it busy.
  await pubsub.publish(outbound(topic, 'held'));
  await other.has(301);
  const later = new Taker();
  const lost: string[] = [];
  await pubsub.subscribe(
    topic,
    { group: 'a', metadata: {}, onLost: (ids) => void lost.push(...ids) },
    later.take,
  );
  // The other one may still be given the first of them, and have it wait.
  for (const text of ['next', 'and next', 'and so on']) await pubsub.publish(outbound(topic, text));
  await later.has(1);
  expect(lost).toEqual([]);
  gate.release('done');
});

function textOf(wire: string | Uint8Array): string {
  return Buffer.from(wire).toString();
}
