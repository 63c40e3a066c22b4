/** The runtime on Redis Streams: instances beside each other, entries of others, restarts. */
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { dataOf, Instance } from '../support/broker-instance.ts';
import type { ComponentRow } from '../../core/contract/subscription.ts';
import type { InstanceOptions } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';
import type { ScriptedApp } from '../support/scripted-app.ts';

const stand = new RedisStand({ durable: true });
const running: Instance[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (one) => one.stop()));
});

async function start(options: InstanceOptions): Promise<Instance> {
  const instance = await Instance.start({ ...options, redisHost: stand.server.host });
  running.push(instance);
  return instance;
}

test('a message goes through Redis and back once, and has its place there', async () => {
  const topic = newTopic();
  const instance = await start({ topic });
  const id = await instance.publish({ n: 1 });
  await instance.ended(1);
  await stand.pending(topic, 0, 'app');
  expect(dataOf(instance.app())).toEqual([{ n: 1 }]);
  const rows = await instance.rows();
  expect(rows).toHaveLength(1);
  const [entry] = await stand.redis.xrange(topic, '-', '+');
  expect(rows[0]).toMatchObject({
    messageId: id,
    broker: { id: entry?.[0], group: 'app', consumer: expect.stringMatching(/^sidelight-/) },
  });
  expect(rows[0]?.flags).toBeUndefined();
});

test('an entry of someone else is one message for all apps here, with their headers', async () => {
  const topic = newTopic();
  const instance = await start({ topic, apps: ['a', 'b', 'c'] });
  const event = '{"id":"7","type":"t","source":"s","specversion":"1.0","data":{"n":1}}';
  await stand.redis.xadd(topic, '*', 'data', event, 'metadata', '{"tenant":"blue"}');
  await instance.ended(3);
  const rows = await instance.rows();
  expect(rows).toHaveLength(1);
  const flags = ['Put into the broker by someone else.'];
  expect(rows[0]).toMatchObject({ eventId: '7', source: 'elsewhere', flags });
  expect(rows[0]?.deliveries.map(({ appId }) => appId).toSorted()).toEqual(['a', 'b', 'c']);
  for (const app of instance.apps.values()) {
    expect(dataOf(app)).toEqual([{ n: 1 }]);
    expect(app.last.headers['tenant']).toBe('blue');
  }
});

test('an entry of ours that was copied by hand is a message of its own', async () => {
  const topic = newTopic();
  const instance = await start({ topic });
  await instance.publish({ n: 1 });
  await instance.ended(1);
  const [entry] = await stand.redis.xrange(topic, '-', '+');
  await stand.redis.xadd(topic, '*', ...(entry?.[1] ?? []));
  await instance.ended(2);
  expect(dataOf(instance.app())).toEqual([{ n: 1 }, { n: 1 }]);
  const rows = await instance.rows();
  expect(rows).toHaveLength(2);
  expect(rows.flatMap(({ flags = [] }) => flags)).toEqual([
    expect.stringMatching(/^The broker has a second copy of a message of this history: ./),
  ]);
});

test('instances with one app id share the messages, one with another id gets all', async () => {
  const topic = newTopic();
  // On a busy machine an entry may be idle for a while: no consumer may claim it from a running one.
  const settings = { processingTimeout: '30s' };
  const [one, two] = [await start({ topic, settings }), await start({ topic, settings })];
  const other = await start({ topic, settings, apps: ['other'] });
  const all = Array.from({ length: 60 }, (_, n) => ({ n }));
  for (const data of all) await one.publish(data);
  await other.ended(all.length);
  await one.when(() => one.app().calls.length + two.app().calls.length >= all.length);
  await stand.pending(topic, 0, 'app');
  const byNumber = (calls: unknown[]): unknown[] =>
    calls.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en', { numeric: true }));
  expect(byNumber([...dataOf(one.app()), ...dataOf(two.app())])).toEqual(all);
  expect(byNumber(dataOf(other.app('other')))).toEqual(all);
  expect(one.app().calls.length).toBeGreaterThan(0);
  expect(two.app().calls.length).toBeGreaterThan(0);
  // Messages of the other instance keep their ids.
  const ids = new Set((await one.rows()).map(({ messageId }) => messageId));
  expect((await other.rows()).every(({ messageId }) => ids.has(messageId))).toBe(true);
});

test('after a restart open messages continue, and are acknowledged at their end', async () => {
  const topic = newTopic();
  const first = await start({ topic, prepare: (app) => (app.answerWith = () => 'hang') });
  await first.publish({ n: 1 });
  await stand.redis.xadd(topic, '*', 'data', '{"data":{"n":2}}');
  await first.when(() => first.app().open.length === 2);
  await first.stop();
  const second = await start({ topic, journal: first.journal.reopened() });
  await second.ended(2);
  await stand.pending(topic, 0, 'app');
  expect(await second.rows()).toHaveLength(2);
});

test('headers of an entry are still there after a restart', async () => {
  const topic = newTopic();
  // Far away, so that the second life delivers from its journal and not from a new hand-over.
  const settings = { processingTimeout: '1h', redeliverInterval: '1h' };
  const first = await start({ topic, settings, prepare: (app) => (app.answerWith = () => 'hang') });
  await stand.redis.xadd(topic, '*', 'data', '{"data":1}', 'metadata', '{"tenant":"blue"}');
  await first.when(() => first.app().open.length === 1);
  await first.stop();
  const second = await start({ topic, settings, journal: first.journal.reopened() });
  await second.ended(1);
  expect(second.app().last.headers['tenant']).toBe('blue');
});

test('a server that starts later is found without a person, and meanwhile state, reason and next try are shown', async () => {
  const topic = newTopic();
  await stand.server.kill();
  const instance = await start({ topic, evenFailed: true });
  const [row] = instance.runtime.topology.components();
  expect(row).toMatchObject({
    state: 'failed',
    failedStarts: 1,
    reason: expect.stringContaining('Cannot reach Redis'),
    nextStartAt: expect.stringMatching(/Z$/),
  });
  await expect(instance.publish({ n: 0 })).rejects.toMatchObject({ code: 'ERR_PUBSUB_NOT_FOUND' });
  await stand.server.start();
  await instance.when(() => instance.runtime.topology.components()[0]?.state === 'ready');
  await instance.when(() => instance.runtime.topology.subscriptions()[0]?.state === 'active');
  expect(instance.runtime.topology.components()[0]?.failedStarts).toBeUndefined();
  expect(instance.runtime.topology.components()[0]?.nextStartAt).toBeUndefined();
  await instance.publish({ n: 1 });
  await instance.ended(1);
});

test('a subscription that a server refuses for a time is tried again without a person', async () => {
  const topic = newTopic();
  await stand.redis.config('SET', 'maxmemory', '1');
  onTestFinished(async () => void (await stand.redis.config('SET', 'maxmemory', '0')));
  const instance = await start({ topic });
  await instance.when(() => instance.runtime.topology.subscriptions()[0]?.state === 'inert');
  expect(instance.runtime.topology.subscriptions()).toMatchObject([
    { state: 'inert', reason: expect.stringContaining('OOM'), failedTries: expect.any(Number) },
  ]);
  await stand.redis.config('SET', 'maxmemory', '0');
  await instance.when(() => instance.runtime.topology.subscriptions()[0]?.state === 'active');
  await instance.publish({ n: 1 });
  await instance.ended(1);
});

test('a lost server is shown with time, reason and next try until it is back, and the probes stay as they are', async () => {
  const topic = newTopic();
  const instance = await start({ topic });
  const lost = (): ComponentRow['lost'] => instance.runtime.topology.components()[0]?.lost;
  expect(lost()).toBeUndefined();
  let told = 0;
  instance.runtime.events.onEvent(({ type }) => (told += type === 'topology.changed' ? 1 : 0));
  const before = Date.now();
  await stand.server.kill();
  await instance.when(() => (lost()?.tries ?? 0) >= 2);
  const { since = '', reason, nextTryAt = '' } = lost() ?? {};
  expect(reason).toContain('ECONNREFUSED');
  expect(Date.parse(since)).toBeGreaterThanOrEqual(before - 1);
  expect(Date.parse(nextTryAt)).toBeGreaterThan(Date.parse(since));
  expect(told).toBeGreaterThanOrEqual(3);
  expect(instance.runtime.topology.components()[0]?.state).toBe('ready');
  const { healthz, outbound } = instance.runtime.health.of();
  for (const probe of [healthz, outbound]) {
    expect(probe.status).toBe(204);
    expect(probe.parts.at(-1)).toMatchObject({
      name: 'servers of components',
      ok: false,
      counts: false,
      detail: expect.stringContaining('pubsub: the connection is lost ('),
    });
  }
  await stand.server.start();
  await instance.when(() => lost() === undefined);
  expect(instance.runtime.health.of().healthz.parts.map(({ name }) => name)).not.toContain(
    'servers of components',
  );
  await instance.publish({ n: 1 });
  await instance.ended(1);
});

test('messages trimmed before they were read are delivered from the history', async () => {
  const topic = newTopic();
  const settings = { maxLenApprox: '1', concurrency: '1' };
  const instance = await start({ topic, settings, prepare: (app) => (app.answerWith = () => 'hang') });
  const all = Array.from({ length: 320 }, (_, n) => ({ n }));
  for (const data of all) await instance.publish(data);
  expect(await stand.redis.xlen(topic)).toBeLessThan(250);
  const app = instance.app();
  app.answerWith = () => 'SUCCESS';
  await instance.when(() => app.open.length === 1);
  app.open[0]?.answer(204);
  await instance.ended(all.length);
  const sorted = (texts: readonly unknown[]): string[] => texts.map((one) => JSON.stringify(one)).toSorted();
  expect(sorted(dataOf(app))).toEqual(sorted(all));
});

const numbers = (texts: readonly unknown[]): string[] => texts.map((one) => JSON.stringify(one)).toSorted();

test.each([
  ['the stream is deleted', async (topic: string) => stand.redis.del(topic)],
  ['the server is emptied', async () => stand.redis.flushall()],
  ['the group is removed', async (topic: string) => stand.redis.xgroup('DESTROY', topic, 'app')],
  ['all entries are trimmed by hand', async (topic: string) => stand.redis.xtrim(topic, 'MAXLEN', 0)],
])('messages that wait in Redis are delivered once after %s', async (_, lose) => {
  const topic = newTopic();
  const settings = { concurrency: '1', processingTimeout: '1h', redeliverInterval: '1h' };
  const instance = await start({ topic, settings, prepare: (app) => (app.answerWith = () => 'hang') });
  const all = Array.from({ length: 20 }, (_one, n) => ({ n }));
  for (const data of all) await instance.publish(data);
  const app = instance.app();
  await instance.when(() => app.open.length === 1);
  await lose(topic);
  app.answerWith = () => 'SUCCESS';
  app.open[0]?.answer(204);
  await instance.ended(all.length);
  expect(numbers(dataOf(app))).toEqual(numbers(all));
});

test('messages that waited in Redis over a restart are delivered if the server is emptied after it', async () => {
  const topic = newTopic();
  const settings = { concurrency: '1', processingTimeout: '1h', redeliverInterval: '1h' };
  const hang = { topic, settings, prepare: (app: ScriptedApp) => (app.answerWith = () => 'hang') } as const;
  const first = await start(hang);
  const all = Array.from({ length: 20 }, (_one, n) => ({ n }));
  for (const data of all) await first.publish(data);
  await first.when(() => first.app().open.length === 1);
  await first.stop();
  const second = await start({ ...hang, journal: first.journal.reopened() });
  const app = second.app();
  await second.when(() => app.open.length > 0);
  await stand.redis.flushall();
  app.answerWith = () => 'SUCCESS';
  for (const call of app.open) call.answer(204);
  await second.ended(all.length);
  expect(new Set(numbers(dataOf(app)))).toEqual(new Set(numbers(all)));
});
