/** A Redis server that is killed and started again under load, many times. */
import { expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { redisBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new RedisStand({ durable: true });
const forgetful = new RedisStand();

test('20 kills of Redis lose no acknowledged message', async () => {
  const { acknowledged } = await underLoad(redisBroker(stand), { kills: 20, each: 2_000 });
  expect(acknowledged).toBeGreaterThanOrEqual(40_000);
});

test('20 kills of a server without persistence: its waiting messages are delivered from the history', async () => {
  const broker = redisBroker(forgetful, 'redis that keeps nothing', { concurrency: '1' });
  const { acknowledged } = await underLoad(broker, { kills: 20, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(8_000);
});
