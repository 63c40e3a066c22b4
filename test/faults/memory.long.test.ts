/** With a heap of 1 GB no flood of publishes ends the product: it refuses with the limit that is reached, and continues. */
import { describe, expect, test } from 'vitest';
import { flood } from './memory-flood.ts';

const MAX = { publishes: 150_000, bytes: 6 * 1024 ** 3, ms: 120_000, refusals: 200 };

describe.each(['disk', 'ephemeral'] as const)('history: %s', (keeps) => {
  describe.each(['hang', 'slow', 'fast'] as const)('an app that is: %s', (app) => {
    test.each([
      [100, 'ascii'],
      [100, 'emoji'],
      [100_000, 'ascii'],
      [100_000, 'emoji'],
      [3_900_000, 'ascii'],
      [3_900_000, 'emoji'],
    ] as const)('bodies of %i bytes, %s', async (size, text) => {
      const came = await flood({ size, text, app, keeps, heapMb: 1024, publishers: 64, most: MAX });
      expect(came.other).toEqual([]);
      expect(came.accepted).toBeGreaterThan(0);
      expect(came.reason).toMatch(/^$|delivery\.backlog|--max-old-space-size/);
      expect(came.after).toEqual({ health: 204, publish: 204, status: 0 });
    });
  });
});
