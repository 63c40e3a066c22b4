/** A Redis server that is killed and started again under load, many times. */
import { expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { redisBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new RedisStand({ durable: true });

test('20 kills: nothing acknowledged is lost', async () => {
  const { acknowledged } = await underLoad(redisBroker(stand), { kills: 20, each: 2_000 });
  expect(acknowledged).toBeGreaterThanOrEqual(40_000);
});
