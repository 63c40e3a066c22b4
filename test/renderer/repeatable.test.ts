/** Before a test is made: how many messages are in it, and why others cannot be. */
import { expect, test } from 'vitest';
import type { MessageRow } from '../../core/contract/message.ts';
import { amountText, repeatable, withAnswer } from '../../renderer/views/recordings/test-messages.ts';

const TAKEN = [{ messageId: 'msg_1' }, { messageId: 'msg_2' }];

const answered = (skipped: Parameters<typeof withAnswer>[2]) =>
  withAnswer(new Map(), ['msg_1', 'msg_2'], skipped);

test('until the host has answered about each message, nothing is said of how many are in the test', () => {
  const one = withAnswer(new Map(), ['msg_1'], []);
  for (const known of [new Map(), one])
    expect(repeatable(TAKEN, known)).toEqual({ taken: undefined, cannot: undefined });
  expect(repeatable(TAKEN, withAnswer(one, ['msg_2'], [])).taken).toEqual(TAKEN);
  const offered = { rows: Array.from({ length: 37 }) as MessageRow[], total: 37 };
  expect(amountText(offered, undefined)).toBe('Working out which of 37 messages a test can repeat…');
  expect(amountText(offered, 16)).toBe('In the test: 16 of 37 messages.');
});

test('a message that a test cannot repeat does not count, and its reason has a next step', () => {
  expect(repeatable(TAKEN, answered([]))).toEqual({ taken: TAKEN, cannot: undefined });
  expect(repeatable(TAKEN, answered([{ messageId: 'msg_2', reason: 'somebody answered it' }]))).toEqual({
    taken: TAKEN.slice(0, 1),
    cannot:
      '1 of these messages cannot be repeated by a test. The first: somebody answered it. You can replay it and make the test from its replay.',
  });
});

test('a message that is left out anyway is not spoken of', () => {
  expect(repeatable(TAKEN.slice(0, 1), answered([{ messageId: 'msg_2', reason: 'x' }]))).toEqual({
    taken: TAKEN.slice(0, 1),
    cannot: undefined,
  });
});
