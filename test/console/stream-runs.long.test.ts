/** Random runs of the stream over a bad line, as many as found what was ever wrong with it. */
import { expect, test } from 'vitest';
import { runsEndWithTheTruth } from './stream-lives.ts';

test('after 300 random runs a client shows what the host has', async () => {
  expect.hasAssertions();
  await runsEndWithTheTruth(300);
});
