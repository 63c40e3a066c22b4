/** What the list "Waiting for you" counts, and where its links lead. */
import { expect, test } from 'vitest';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { itemsOf } from '../../renderer/views/messages/WaitingForYou.tsx';

function runtime(more: Partial<RuntimeChanged>): RuntimeChanged {
  const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
  return {
    rates: { in: 0, out: 0 },
    counts: counts as unknown as RuntimeChanged['counts'],
    kept: 0,
    limit: 100,
    health: [],
    holds: 0,
    waiting: 0,
    ...more,
  };
}

test('nothing waits', () => {
  expect(itemsOf({ runtime: runtime({}), problems: 0 })).toEqual([]);
});

test('what waits for its app is counted, with a link to the filter that finds it', () => {
  const items = itemsOf({ runtime: runtime({ forApp: 3, holds: 2 }), problems: 0 });
  expect(items.map(({ n, href }) => [n, href])).toEqual([
    [2, '/holds'],
    [3, '/messages?f=state%3Awaiting'],
  ]);
});
