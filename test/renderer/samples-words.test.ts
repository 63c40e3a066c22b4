/** Words about the added samples. */
import { expect, test } from 'vitest';
import { addedText } from '../../renderer/format/samples-words.ts';

test('each kind of sample is counted, and other entries are named', () => {
  expect(
    addedText([
      'subscription payments',
      'subscription refunds',
      'answer Sample: never answers',
      'answer Sample: fails twice, then succeeds',
      'retry policy pubsub/payments',
      'hold sample-hold',
    ]),
  ).toBe('2 subscriptions, 2 mock answers, 1 retry policy, 1 hold');
  expect(addedText(['15 messages', 'hold sample-hold'])).toBe('15 messages, 1 hold');
  expect(addedText([])).toBe('nothing');
});
