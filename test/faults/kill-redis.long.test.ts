/** kill -9 of the product under load, many times, with its messages in Redis. */
import { expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { killRoundsOn } from './kill-redis.ts';

const stand = new RedisStand();

test('20 times in a row, then everything is delivered', async () => {
  expect(await killRoundsOn(stand.server.host, 20)).toMatchObject({ survived: true, lost: 0 });
});
