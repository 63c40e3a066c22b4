/** The deliveries in the footer count under the names that their chips have. */
import { expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { Counts } from '../../core/contract/console.ts';
import { footerStates } from '../../renderer/frame/StatusLine.tsx';

function counts(change: Partial<Counts>): Counts {
  return { ...Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])), ...change } as Counts;
}

test('a delivery that waits for its app is not called queued, and counts with the messages that wait for it', () => {
  const runtime = { counts: counts({ queued: 3, parked: 1 }), queuedForApp: 1, forApp: 3 };
  expect(footerStates(runtime)).toEqual([
    { state: 'queued', n: 2, filter: 'state:queued -state:waiting' },
    { state: 'waiting', n: 3, filter: 'state:waiting' },
    { state: 'parked', n: 1, filter: 'state:parked' },
  ]);
});

test('without such a delivery the footer says nothing of it', () => {
  expect(footerStates({ counts: counts({ queued: 1 }) })).toEqual([
    { state: 'queued', n: 1, filter: 'state:queued' },
  ]);
});
