/** Number of commands and writes of the Redis Streams component, because they cost more than all its other work. */
import { expect, test } from 'vitest';
import { newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';

const stand = new RedisStand();
/** So long that nothing is looked for or kept meanwhile. */
const CALM = { processingTimeout: '1h', redeliverInterval: '1h' };

/** How often each command was asked since the last reset, and how often the server read from its connections. */
async function asked(): Promise<{ readonly reads: number; readonly of: (command: string) => number }> {
  const [commands, stats] = [await stand.redis.info('commandstats'), await stand.redis.info('stats')];
  const number = (text: string, of: RegExp): number => Number(of.exec(text)?.[1] ?? 0);
  return {
    reads: number(stats, /total_reads_processed:(\d+)/),
    of: (command) => number(commands, new RegExp(`cmdstat_${command}:calls=(\\d+)`)),
  };
}

const turn = (): Promise<void> => new Promise((go) => setImmediate(go));

test('publishes of one turn of the event loop are one write', async () => {
  const topic = newTopic();
  const pubsub = await stand.connect(CALM);
  await stand.redis.config('RESETSTAT');
  await Promise.all(Array.from({ length: 40 }, async (_, n) => pubsub.publish(outbound(topic, String(n)))));
  const { reads, of } = await asked();
  expect(of('xadd')).toBe(40);
  // The test asks some commands too.
  expect(reads).toBeLessThan(10);
});

test('texts and bytes of one turn arrive as they are, in their order', async () => {
  const topic = newTopic();
  const pubsub = await stand.connect(CALM);
  const bytes = Buffer.from([0, 13, 10, 36, 255, 128]);
  const sent = ['ä€😀', bytes, '', Buffer.alloc(0), 'end'];
  await Promise.all(sent.map(async (wire) => pubsub.publish({ ...outbound(topic, ''), wire })));
  const entries = await stand.redis.xrangeBuffer(topic, '-', '+');
  expect(entries.map(([, fields]) => fields[1])).toEqual(sent.map((wire) => Buffer.from(wire)));
});

test('a publish right before the component is closed reaches the server', async () => {
  const topic = newTopic();
  const pubsub = await stand.connect(CALM);
  const published = Promise.resolve(pubsub.publish(outbound(topic, 'last')));
  published.catch(() => undefined);
  await pubsub.close();
  await expect.poll(() => stand.redis.xlen(topic)).toBe(1);
});

test('entries of publishes one after another come in their order, and each is acknowledged', async () => {
  const topic = newTopic();
  const taker = new Taker();
  const pubsub = await stand.connect(CALM);
  await taker.subscribe(pubsub, topic, 'a');
  for (let n = 0; n < 40; n += 1) await pubsub.publish(outbound(topic, String(n)));
  await taker.has(40);
  await stand.pending(topic, 0);
  expect(taker.texts).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
});

test('a read whose connection is lost is repeated, and no entry is missed', async () => {
  const topic = newTopic();
  const taker = new Taker();
  const pubsub = await stand.connect(CALM);
  await taker.subscribe(pubsub, topic, 'a');
  const published: string[] = [];
  const cuts = [10, 30, 50];
  while (published.length < 60) {
    const text = `${published.length}`;
    if (cuts[0] === published.length) {
      cuts.shift();
      await stand.cut();
    }
    // A publish is refused while the server cannot be asked.
    const isTaken = await Promise.resolve(pubsub.publish(outbound(topic, text))).then(
      () => true,
      () => false,
    );
    if (isTaken) published.push(text);
    else await turn();
  }
  await taker.until(({ texts }) => published.every((text) => texts.includes(text)));
  await stand.pending(topic, 0);
  expect(stand.made.told('error')).toEqual([]);
});

test('an entry of another client arrives while nothing is published here', async () => {
  const topic = newTopic();
  const taker = new Taker();
  const pubsub = await stand.connect(CALM);
  await taker.subscribe(pubsub, topic, 'a');
  for (const text of ['one', 'two']) {
    await pubsub.publish(outbound(topic, `own ${text}`));
    await stand.redis.xadd(topic, '*', 'data', `theirs ${text}`);
  }
  await taker.has(4);
  expect(taker.texts).toEqual(['own one', 'theirs one', 'own two', 'theirs two']);
});

test('a consumer that waits for a publish from here leaves in order', async () => {
  const topic = newTopic();
  const taker = new Taker();
  const pubsub = await stand.connect(CALM);
  const open = await taker.subscribe(pubsub, topic, 'a');
  await pubsub.publish(outbound(topic, 'one'));
  await taker.has(1);
  await open.close();
  await stand.pending(topic, 0);
  expect(await stand.consumers(topic)).toEqual([]);
  await pubsub.publish(outbound(topic, 'two'));
  expect(taker.texts).toEqual(['one']);
});
