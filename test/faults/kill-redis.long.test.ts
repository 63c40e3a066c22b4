/** kill -9 of the product under load, many times, with its messages in Redis. */
import { expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { killRoundsOn } from './kill-redis.ts';

const stand = new RedisStand();

test('everything is delivered after 20 kills of the product with Redis', async () => {
  expect(await killRoundsOn(stand.server.host, 20)).toMatchObject({ survived: true, lost: 0 });
});
