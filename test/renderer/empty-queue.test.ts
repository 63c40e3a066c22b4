/** Text of an empty queue of held messages: it counts the holds that still wait for a message. */
import { expect, test } from 'vitest';
import { HOLDS } from '../../renderer/copy/holds.ts';
import { emptyText, whyNoDrop } from '../../renderer/views/holds/HoldsView.tsx';

const WAITS = 'Nothing is held. 1 hold is on and waits for a message that matches.';

test.each([
  ['a hold without a limit', { enabled: true, hits: 3 }, WAITS],
  ['a hold that has one left', { enabled: true, times: 2, hits: 1 }, WAITS],
  ['a hold that is used up', { enabled: true, times: 1, hits: 1 }, HOLDS.empty],
  ['a hold that is off', { enabled: false, hits: 0 }, HOLDS.empty],
])('%s', (_what, hold, text) => {
  expect(emptyText([hold])).toBe(text);
});

test('a queue that holds answers alone has nothing to drop', () => {
  const answer = { heldAt: 'response' } as const;
  expect(whyNoDrop({ items: [answer, answer], total: 2 })).toBe(HOLDS.onlyAnswers);
  expect(whyNoDrop({ items: [answer, { heldAt: 'publish' }], total: 2 })).toBeUndefined();
  expect(whyNoDrop({ items: [answer], total: 2 })).toBeUndefined();
  expect(whyNoDrop(undefined)).toBeUndefined();
});
