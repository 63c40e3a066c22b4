/**
 * Random runs of the stream over a bad line: whatever is lost or repeated, the client ends with the truth. 300 of them are in the long
 * suite.
 */
import { expect, test } from 'vitest';
import { run, runsEndWithTheTruth } from './stream-lives.ts';

test('after 50 random runs a client shows what the host has', async () => {
  expect.hasAssertions();
  await runsEndWithTheTruth(50);
});

test('canary: a client that does not look for gaps shows something else in some random runs', async () => {
  let wrong = 0;
  for (let seed = 1; seed <= 30; seed += 1) {
    const { shown, truth } = await run(seed, false);
    if (JSON.stringify(shown) !== JSON.stringify(truth)) wrong += 1;
  }
  expect(wrong).toBeGreaterThan(5);
});
