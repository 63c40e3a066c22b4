/** The countdown of a held or running call. */
import { expect, test } from 'vitest';
import { deadlineSentence, givesUpText, waitSentence } from '../../renderer/format/call-deadline.ts';

const AT = '2026-01-01T00:00:15.000Z';
const NOW = Date.parse(AT);

test.each([
  [true, 14_200, 'the sidecar gives up in 15 s'],
  [true, 1, 'the sidecar gives up in 1 s'],
  [true, 0, 'the sidecar has stopped waiting'],
  [false, 60_000, 'times out in 1 min'],
  [false, -5, 'timed out'],
])('the deadline of a call, observed %s, with %i ms left: %s', (isObserved, leftMs, says) => {
  expect(givesUpText(AT, isObserved, NOW - leftMs)).toBe(says);
});

test('before other sentences it is a sentence of its own', () => {
  expect(deadlineSentence(AT, false, NOW - 60_000)).toBe('Times out in 1 min.');
  const since = new Date(NOW - 72_000).toISOString();
  expect(waitSentence({ since, givesUpAt: AT }, NOW - 60_000)).toBe('Waiting 00:12 · times out in 1 min.');
  expect(waitSentence({ since }, NOW - 60_000)).toBe('Waiting 00:12.');
  expect(deadlineSentence(AT, true, NOW)).toBe('The sidecar has stopped waiting.');
});
