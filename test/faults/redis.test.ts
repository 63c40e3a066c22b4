/** A Redis server that is killed and started again under load: a sample; the long suite does more of it. */
import { expect, test } from 'vitest';
import { dataOf, Instance } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';
import { bothAnew, bothAnewForTwo, MESSAGES, subscribesLater } from './brokers-both.ts';
import type { Both } from './brokers-both.ts';
import { redisBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new RedisStand({ durable: true });
const forgetful = new RedisStand();

test('a killed Redis loses no acknowledged message, and a refused publish gives the reason', async () => {
  const { acknowledged, reasons } = await underLoad(redisBroker(stand), { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
  expect(reasons).not.toEqual([]);
  // Why it cannot is told too: it closed the connection, or nobody listens there.
  for (const reason of reasons) expect(reason).toContain(`Cannot reach Redis at ${stand.server.host}`);
});

test('messages that waited at a server that comes back empty are delivered from the history', async () => {
  // Few run at once, so that most of them wait in the server when it dies.
  const broker = redisBroker(forgetful, 'redis that keeps nothing', { concurrency: '1' });
  const { acknowledged } = await underLoad(broker, { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
});

function emptyAnew(): Both {
  const topic = newTopic();
  return {
    topic,
    start: (options) =>
      Instance.start({ ...options, redisHost: forgetful.server.host, topic, settings: { concurrency: '1' } }),
    restart: async (whileAway) => {
      await forgetful.server.kill();
      await whileAway?.();
      await forgetful.server.start();
    },
  };
}

test('messages that waited at a server that comes back empty during a restart of Sidelight are delivered from the history', async () => {
  expect(await bothAnew(emptyAnew())).toEqual(MESSAGES);
});

test('the second of two apps also gets the messages of the first from the history if the server comes back empty', async () => {
  expect(await bothAnewForTwo(emptyAnew())).toEqual([MESSAGES, MESSAGES]);
});

test.each([
  ['emptied', '0', 1],
  ['trimmed', '1', 300],
])(
  'an app gets all published messages from a stream that is %s before it subscribes',
  async (_, maxLenApprox, count) => {
    const topic = newTopic();
    const instance = await Instance.start({
      redisHost: forgetful.server.host,
      topic,
      settings: { maxLenApprox },
      prepare: (app) => (app.subscriptions = []),
      evenFailed: true,
    });
    try {
      for (let n = 0; n < count; n += 1) await instance.publish({ n });
      if (count === 1) await forgetful.redis.flushall();
      expect(await forgetful.redis.xlen(topic)).toBeLessThan(count);
      instance.app().subscriptions = [{ pubsubname: 'pubsub', topic, route: '/later' }];
      await instance.runtime.rediscovery.ask('app');
      await instance.ended(count);
      expect(new Set(dataOf(instance.app()).map((data) => JSON.stringify(data))).size).toBe(count);
    } finally {
      await instance.stop();
    }
  },
);

test('an app that subscribes after its server came back empty still gets the published messages', async () => {
  expect(await subscribesLater(emptyAnew())).toEqual([{ n: 1 }]);
});
