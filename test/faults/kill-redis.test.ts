/** kill -9 of the product under load, with its messages in Redis: a sample; the long suite does more of it. */
import { expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { killRoundsOn } from './kill-redis.ts';

const stand = new RedisStand();

test('everything is delivered after two kills of the product with Redis', async () => {
  expect(await killRoundsOn(stand.server.host, 2)).toMatchObject({ survived: true, lost: 0 });
}, 180_000);
