/** Messages that a server has lost are reported once, whichever part of a consumer finds out. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { Connection } from '../../core/adapters/redis-streams/connection.ts';
import { StreamConsumer } from '../../core/adapters/redis-streams/consumer.ts';
import { Group } from '../../core/adapters/redis-streams/group.ts';
import { OpenEntries } from '../../core/adapters/redis-streams/open-entries.ts';
import { readRedisSettings } from '../../core/adapters/redis-streams/settings.ts';
import { NotHandedOver } from '../../core/adapters/not-handed-over.ts';
import { Gate, newTopic, outbound, Taker } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';

const stand = new RedisStand();

/** What is lost is looked up after a read that found nothing, for which these tests do not wait as long as the product does. */
const { read } = Group.prototype;
beforeEach(() => {
  vi.spyOn(Group.prototype, 'read').mockImplementation(function (this: Group, on, count) {
    return read.call(this, on, count, 300);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Bench {
  readonly topic: string;
  readonly consumer: StreamConsumer;
  readonly commands: Connection;
  readonly group: Group;
  /** Calls with what was read. */
  readonly take: { readonly mock: { readonly calls: readonly unknown[] } };
  readonly lost: string[];
  readonly lines: string[];
}

/** A consumer of a new topic that is not started yet. */
async function bench({ trims = false, password = '' } = {}): Promise<Bench> {
  const topic = newTopic();
  const all = {
    redisHost: stand.server.host,
    ...(password === '' ? {} : { redisUsername: 'asks-nothing', redisPassword: password }),
  };
  const settings = readRedisSettings((name) => Object.entries(all).find(([one]) => one === name)?.[1] ?? '');
  const [lost, lines]: [string[], string[]] = [[], []];
  const log = { write: (_level: string, _part: string, text: string) => void lines.push(text) };
  const commands = new Connection(settings);
  await commands.open();
  const group = new Group({ topic, group: 'a', consumer: 'c' }, commands);
  await group.make();
  const take = vi.fn<() => Promise<'done'>>(async () => 'done');
  const consumer = new StreamConsumer({
    group,
    entries: new OpenEntries({ group, server: '', slots: undefined, log, take }),
    commands,
    reader: new Connection(settings),
    depth: 10,
    processingTimeoutMs: 60_000,
    redeliverIntervalMs: 60_000,
    notHandedOver: new NotHandedOver(),
    isDoubtful: false,
    trims,
    onLost: (messageIds) => void lost.push(...messageIds),
    onNew: () => undefined,
    clock: systemClock(),
    log,
  });
  onTestFinished(async () => {
    await consumer.close();
    commands.end();
  });
  return { topic, consumer, commands, group, take, lost, lines };
}

test('a read that finds nothing more does not hide messages that are being looked up meanwhile', async () => {
  const { topic, consumer, commands, group, take, lost } = await bench();
  // The claim of other consumers' entries finds that the group is lost, before any read does.
  vi.spyOn(group, 'claim').mockImplementationOnce(async () => {
    await commands.call('XREADGROUP', ['GROUP', 'gone', 'c', 'STREAMS', topic, '>']);
    return { next: '0-0', entries: [] };
  });
  let tell: (there: readonly boolean[]) => void = () => undefined;
  const has = vi.spyOn(group, 'has').mockReturnValueOnce(new Promise((told) => (tell = told)));
  consumer.published('1-1', 'msg_1');
  consumer.start();
  await expect.poll(() => has.mock.calls.length).toBe(1);
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  tell([false]);
  await expect.poll(() => lost).toEqual(['msg_1']);
});

test('an entry that is lost before the reply to its publish is reported, without another sign of a data loss', async () => {
  const { topic, consumer, take, lost } = await bench();
  consumer.start();
  // Another client has created stream and group again before this consumer noticed, so each of its reads finds a group.
  consumer.published('1-1', 'msg_1');
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  await expect.poll(() => lost).toEqual(['msg_1']);
});

test('an entry that came before the answer to its publish is not looked up', async () => {
  const { topic, consumer, group, take, lost } = await bench();
  const asked = vi.spyOn(group, 'isAlone');
  consumer.start();
  const first = await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  consumer.published(String(first), 'msg_1');
  consumer.published('1-1', 'msg_2');
  await stand.redis.xadd(topic, '*', 'data', 'y');
  await expect.poll(() => lost).toEqual(['msg_2']);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('entries of another consumer of the group are neither lost nor looked up one by one', async () => {
  const { topic, consumer, group, take, lost, lines } = await bench();
  const has = vi.spyOn(group, 'has');
  const ids: (string | null)[] = [];
  for (const n of [1, 2, 3]) ids.push(await stand.redis.xadd(topic, '*', 'data', String(n)));
  await stand.redis.xreadgroup('GROUP', 'a', 'other', 'COUNT', 3, 'STREAMS', topic, '>');
  await stand.redis.xack(topic, 'a', ...ids.map(String));
  for (const id of ids) consumer.published(String(id), `msg_${id}`);
  consumer.start();
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  await expect.poll(() => has.mock.calls).toEqual([[[ids[0]]]]);
  expect(lost).toEqual([]);
  expect(lines).toEqual([]);
});

test('trimmed entries of a group with other consumers are logged, because those may have had them', async () => {
  const { topic, consumer, take, lost, lines } = await bench({ trims: true });
  await stand.redis.xadd(topic, '*', 'data', '1');
  await stand.redis.xreadgroup('GROUP', 'a', 'other', 'COUNT', 1, 'STREAMS', topic, '>');
  consumer.published('1-1', 'msg_1');
  consumer.start();
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  await expect
    .poll(() => lines)
    .toEqual([
      `1 message of ${topic} that was published here and never handed to a here is trimmed. Another consumer of the group may have had it. It stays in the history, and a replay delivers it.`,
    ]);
  expect(lost).toEqual([]);
});

test('a missing permission is logged once, and messages continue', async () => {
  await stand.redis.call('ACL', 'SETUSER', 'asks-nothing', 'on', '>secret', '~*', '&*', '+@all', '-xinfo');
  const { topic, consumer, take, lost, lines } = await bench({ password: 'secret' });
  consumer.start();
  for (const n of [1, 2]) {
    consumer.published(`1-${n}`, `msg_${n}`);
    await stand.redis.xadd(topic, '*', 'data', 'x');
    await expect.poll(() => take.mock.calls.length).toBe(n);
    await expect.poll(() => lines).toEqual([expect.stringMatching(/^Sidelight cannot ask Redis .*NOPERM/)]);
  }
  expect(lost).toEqual([]);
});

test('messages that the group was moved past are logged', async () => {
  const topic = newTopic();
  const gate = new Gate();
  const taker = new Taker(gate.answer);
  const pubsub = await stand.connect({ concurrency: '1', processingTimeout: '60s' });
  await taker.subscribe(pubsub, topic, 'a');
  for (const n of ['1', '2', '3']) await pubsub.publish(outbound(topic, n));
  await taker.has(1);
  await stand.redis.xgroup('SETID', topic, 'a', '$');
  gate.release('done');
  await stand.made.saying(
    `2 messages of ${topic} that were published here and never handed to a here are in Redis still. Somebody has moved the group forward (XGROUP SETID or CREATE), or a consumer that has left had them. They stay in the history, and a replay delivers them.`,
  );
  expect(taker.texts).toEqual(['1']);
});
