/** Texts of the grid of subscriptions about an unused one. */
import { expect, test } from 'vitest';
import { stateText } from '../../renderer/format/subscription.ts';
import { clockSeconds } from '../../renderer/format/clock-time.ts';

const nextTryAt = '2026-01-02T03:04:05.000Z';

test.each([
  ['no reason', { state: 'active' }, 'Active'],
  ['a reason', { state: 'forbidden', reason: 'It may not.' }, 'Forbidden: It may not.'],
  [
    'a first refusal',
    { state: 'inert', reason: 'OOM', failedTries: 1, nextTryAt },
    `Not used: OOM. Refused once; next try ${clockSeconds(nextTryAt)}.`,
  ],
  [
    'more of them',
    { state: 'inert', reason: 'It is loading.', failedTries: 3, nextTryAt },
    `Not used: It is loading. Refused 3 times; next try ${clockSeconds(nextTryAt)}.`,
  ],
] as const)('the state of a subscription with %s is described in words', (_, row, words) => {
  expect(stateText(row)).toBe(words);
});
