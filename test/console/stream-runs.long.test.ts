/** Random runs of the stream over a bad line, as many as found what was ever wrong with it. */
import { expect, test } from 'vitest';
import { runsEndWithTheTruth } from './stream-lives.ts';

test('300 random runs end with the truth', async () => {
  expect.hasAssertions();
  await runsEndWithTheTruth(300);
});
