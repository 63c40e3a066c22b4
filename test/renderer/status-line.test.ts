/** The numbers of the footer count what the lists that they open have. */
import { expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { Counts } from '../../core/contract/console.ts';
import { passes } from '../domain/filter-sample.ts';
import { beyondListed, footerStates, waitingMessages } from '../../renderer/format/view-amount.ts';

function counts(change: Partial<Counts>): Counts {
  return { ...Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])), ...change } as Counts;
}

test('a delivery that waits for its app is among the queued ones, and messages that wait for it are no deliveries', () => {
  const runtime = { counts: counts({ queued: 3, parked: 1 }), queuedForApp: 1, forApp: 3 };
  expect(footerStates(runtime)).toEqual([
    { state: 'queued', n: 3, filter: 'state:queued' },
    { state: 'waiting', n: 1, filter: 'state:waiting' },
    { state: 'parked', n: 1, filter: 'state:parked' },
  ]);
  expect(waitingMessages(runtime)).toBe(2);
});

test('without such a delivery the footer says nothing of it', () => {
  expect(footerStates({ counts: counts({ queued: 1 }) })).toEqual([
    { state: 'queued', n: 1, filter: 'state:queued' },
  ]);
});

test('the list that a number of the footer opens says how many deliveries it counted', () => {
  const runtime = { counts: counts({ queued: 5, attempting: 3 }), holds: 0, queuedForApp: 2, forApp: 2 };
  expect(beyondListed(1, 'state:waiting', runtime)).toBe('2 deliveries');
  expect(beyondListed(2, 'state:attempting', runtime)).toBe('3 deliveries');
  expect(beyondListed(2, 'state:queued', runtime)).toBe('5 deliveries');
  expect(beyondListed(3, 'state:attempting', runtime)).toBeUndefined();
});

test('the filter of a number finds a message of which one delivery is queued and another waits for its app', () => {
  const runtime = { counts: counts({ queued: 2 }), queuedForApp: 1, forApp: 1 };
  const message = {
    deliveries: [
      { state: 'queued' },
      { state: 'queued', waitsFor: { pubsubname: 'pubsub', topic: 'orders' } },
    ],
  } as const;
  for (const { filter } of footerStates(runtime))
    expect([filter, passes(filter, message)]).toEqual([filter, true]);
});
