/** Before a test is made: how many messages are in it, and why others cannot be. */
import { expect, test } from 'vitest';
import { repeatable } from '../../renderer/views/recordings/test-messages.ts';

const TAKEN = [{ messageId: 'msg_1' }, { messageId: 'msg_2' }];

test('a message that a test cannot repeat does not count, and its reason has a next step', () => {
  expect(repeatable(TAKEN, [])).toEqual({ taken: TAKEN, cannot: undefined });
  expect(repeatable(TAKEN, [{ messageId: 'msg_2', reason: 'somebody answered it' }])).toEqual({
    taken: TAKEN.slice(0, 1),
    cannot:
      '1 of these messages cannot be repeated by a test. The first: somebody answered it. You can replay it and make the test from its replay.',
  });
});

test('a message that is left out anyway is not spoken of', () => {
  expect(repeatable(TAKEN.slice(0, 1), [{ messageId: 'msg_2', reason: 'x' }])).toEqual({
    taken: TAKEN.slice(0, 1),
    cannot: undefined,
  });
});
