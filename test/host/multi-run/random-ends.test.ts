/** A few random ends; the long one is random-ends.long.test.ts. */
import { expect, test, vi } from 'vitest';
import { randomEnds } from './random-ends.ts';
import { PATIENCE_MS } from './run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

test('apps that are killed and started again lose nothing', async () => {
  const turns = [0, 0.2, 0.1, 0.4, 0.7, 0.1, 0.99, 0.2, 0.1];
  const outcome = await randomEnds({ ends: 3, pauseMs: 300 }, () => turns.shift() ?? 0);
  expect(outcome).toMatchObject({ lost: [], unfinished: {}, status: 0 });
  expect(outcome.restarts).toBeGreaterThan(1);
  expect(outcome.acknowledged).toBeGreaterThan(0);
});
