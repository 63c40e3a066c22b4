/** Three apps that are ended at random: in batches, each of which is a run of its own and ends by itself, and for five minutes on end. */
import { expect, test } from 'vitest';
import { randomEnds, randomFrom } from './random-ends.ts';
import type { Outcome } from './random-ends.ts';

const SEED = 20_261_123;
const BATCHES = Array.from({ length: 12 }, (_, i) => i + 1);
const ENDS = 50;
const SOAK_MS = 300_000;
/** Long enough for an app to start and do something before the next end. */
const PAUSE_MS = 1_000;

function show(what: object, { lost, ...outcome }: Outcome): void {
  process.stdout.write(`${JSON.stringify({ ...what, ...outcome, lost: lost.length })}\n`);
}

test.each(BATCHES)(`batch %i of ${ENDS} ends loses nothing, and nothing is stuck`, async (batch) => {
  const outcome = await randomEnds({ ends: ENDS, pauseMs: PAUSE_MS }, randomFrom(SEED + batch));
  show({ batch }, outcome);
  expect(outcome).toMatchObject({ ends: ENDS, lost: [], unfinished: {}, status: 0 });
  expect(outcome.restarts).toBeGreaterThan(ENDS / 10);
});

test('five minutes of ends, with the history on disk, lose nothing, and nothing is stuck', async () => {
  const outcome = await randomEnds({ ms: SOAK_MS, pauseMs: PAUSE_MS }, randomFrom(SEED), true);
  show({ minutes: SOAK_MS / 60_000 }, outcome);
  expect(outcome).toMatchObject({ lost: [], unfinished: {}, status: 0 });
  expect(outcome.restarts).toBeGreaterThan(50);
});
