/** A flood of more bytes than the heap holds, to an app that hangs, does not end the product. The sample of memory.long.test.ts. */
import { expect, test } from 'vitest';
import { flood } from './memory-flood.ts';

const FLOOD = {
  size: 2_000_000,
  text: 'ascii',
  app: 'hang',
  keeps: 'disk',
  heapMb: 256,
  publishers: 8,
} as const;
const MAX = { publishes: 140, bytes: Infinity, ms: 60_000, refusals: 5 };

test('more messages than the heap holds are accepted and wait', async () => {
  const came = await flood({ ...FLOOD, most: MAX });
  expect(came).toMatchObject({ accepted: 140, refused: 0, other: [] });
  expect(came.after).toEqual({ health: 204, publish: 204, status: 0 });
}, 120_000);
