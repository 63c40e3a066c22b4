/** With a heap of 1 GB no flood of publishes ends the product: it refuses with the limit that is reached, and continues. */
import { describe, expect, test } from 'vitest';
import { flood } from './memory-flood.ts';
import type { Flood } from './memory-flood.ts';

const MAX = { publishes: 150_000, bytes: 6 * 1024 ** 3, ms: 120_000, refusals: 200 };
const PUBLISHERS = 64;
/** For a slow app each answer waits up to 250 ms, so that only many publishers fill the backlog within the time of a flood. */
const MANY_PUBLISHERS = 512;
const LARGE = 3_900_000;

/** A slow app takes large bodies faster than they come, so that no limit is reached and a longer flood shows nothing more. */
function flooding(app: 'hang' | 'slow' | 'fast', size: number): Pick<Flood, 'publishers' | 'most'> {
  if (app !== 'slow') return { publishers: PUBLISHERS, most: MAX };
  if (size === LARGE) return { publishers: PUBLISHERS, most: { ...MAX, ms: MAX.ms / 2 } };
  return { publishers: MANY_PUBLISHERS, most: MAX };
}

describe.each(['disk', 'ephemeral'] as const)('history: %s', (keeps) => {
  describe.each(['hang', 'slow', 'fast'] as const)('an app that is: %s', (app) => {
    test.each([
      [100, 'ascii'],
      [100, 'emoji'],
      [100_000, 'ascii'],
      [100_000, 'emoji'],
      [LARGE, 'ascii'],
      [LARGE, 'emoji'],
    ] as const)('bodies of %i bytes, %s', async (size, text) => {
      const came = await flood({ size, text, app, keeps, heapMb: 1024, ...flooding(app, size) });
      const figures = JSON.stringify({ ...came, reason: came.reason.slice(0, 200) });
      process.stderr.write(`faults/memory: ${keeps}, ${app}, ${size} bytes, ${text}: ${figures}\n`);
      expect(came.other).toEqual([]);
      expect(came.accepted).toBeGreaterThan(0);
      expect(came.reason).toMatch(/^$|delivery\.backlog|--max-old-space-size/);
      expect(came.after).toEqual({ health: 204, publish: 204, status: 0 });
    });
  });
});
