// kill -9 of a tap beside the real sidecar at random moments: counts of lost and doubled messages, and of those that the sidecar gives up.
import { describe, expect, test } from 'vitest';
import { redisFolder } from '../support/reference-redis.ts';
import { whyNoRedis } from '../support/redis-server.ts';
import { freeBase, startRealSidecar, WHY_NO_REFERENCE } from '../support/reference.ts';
import { killedTap } from './kill-rounds.ts';
import type { KillReport } from './kill-rounds.ts';
import { chanceOf } from './pass-through.ts';

const KILLS = 10;
const MESSAGES = 1_000;
/** Redis hands a message over again after this time. */
const AGAIN_MS = 2_000;
const QUIET_MS = 8_000;
const MISSING_MS = 60_000;

async function rounds(version: string, resources: string | undefined): Promise<KillReport> {
  const realPort = await freeBase();
  const report = await killedTap({
    kills: KILLS,
    messages: MESSAGES,
    chance: chanceOf(realPort),
    realPort,
    quietMs: QUIET_MS,
    missingMs: MISSING_MS,
    startReal: async ({ port, appPort }) =>
      startRealSidecar({ version, port, appPort, ...(resources === undefined ? {} : { resources }) }),
  });
  const broker = resources === undefined ? 'in memory' : 'Redis';
  const { lost, ...counts } = report;
  const told = { version, broker, seed: realPort, ...counts, lost: lost.length };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  if (lost.length > 0) process.stdout.write(`given up by the sidecar: ${lost.join(' ')}\n`);
  return report;
}

describe.skipIf(WHY_NO_REFERENCE !== undefined)(
  `a tap is killed${WHY_NO_REFERENCE === undefined ? '' : `: ${WHY_NO_REFERENCE}`}`,
  () => {
    const whyNot = whyNoRedis();

    test.skipIf(whyNot !== undefined)('1.13.6 with Redis loses nothing', async () => {
      const { lost, acknowledged } = await rounds('1.13.6', await redisFolder(AGAIN_MS));
      expect(acknowledged).toBe(2 * MESSAGES);
      expect(lost).toEqual([]);
    });

    test.skipIf(whyNot !== undefined)(
      '1.18.3 with Redis: messages that it gives up are counted and listed',
      async () => {
        const { acknowledged } = await rounds('1.18.3', await redisFolder(AGAIN_MS));
        expect(acknowledged).toBe(2 * MESSAGES);
      },
    );

    test.each(['1.13.6', '1.18.3'])(
      '%s in memory: messages that it gives up are counted and listed',
      async (version) => {
        const { acknowledged } = await rounds(version, undefined);
        expect(acknowledged).toBe(2 * MESSAGES);
      },
    );
  },
);
