/** Texts of the grid of subscriptions about an unused one. */
import { expect, test } from 'vitest';
import { whyUnused } from '../../renderer/format/subscription.ts';
import { clockSeconds } from '../../renderer/format/clock-time.ts';

const nextTryAt = '2026-01-02T03:04:05.000Z';

test.each([
  ['no reason', {}, undefined],
  ['a reason', { reason: 'It may not.' }, 'It may not.'],
  [
    'a first refusal',
    { reason: 'OOM', failedTries: 1, nextTryAt },
    `OOM. Refused once; next try ${clockSeconds(nextTryAt)}.`,
  ],
  [
    'more of them',
    { reason: 'It is loading.', failedTries: 3, nextTryAt },
    `It is loading. Refused 3 times; next try ${clockSeconds(nextTryAt)}.`,
  ],
] as const)('why a subscription with %s is not used is said in words', (_, row, words) => {
  expect(whyUnused(row)).toBe(words);
});
