/** The figure behind a view's title counts deliveries; its list counts messages. Where they differ, the list says both. */
import { expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { Counts } from '../../core/contract/reports.ts';
import { NEEDS_ATTENTION } from '../../renderer/copy/messages.ts';
import { amountText, beyondListed, viewAmount } from '../../renderer/format/view-amount.ts';

function runtime(some: Partial<Counts>, holds = 0) {
  const none = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Counts;
  return { counts: { ...none, ...some }, holds };
}

test('the number of nine held deliveries is shown beside their five messages', () => {
  expect(beyondListed(5, 'state:held', runtime({ held: 9 }, 9))).toBe('9 held');
  expect(beyondListed(9, 'state:held', runtime({ held: 9 }, 9))).toBeUndefined();
  expect(beyondListed(2, 'state:dropped', runtime({ dropped: 3 }))).toBe('3 deliveries');
  expect(beyondListed(2, 'state:retrying', runtime({ retrying: 3 }))).toBe('3 deliveries');
  expect(beyondListed(2, NEEDS_ATTENTION, runtime({ parked: 2, expired: 1 }))).toBe('3 deliveries');
});

test('a filter of its own, all messages and messages without a subscription have no such figure', () => {
  expect(beyondListed(1, 'state:held topic:orders', runtime({ held: 9 }, 9))).toBeUndefined();
  expect(beyondListed(1, '', runtime({ held: 9 }, 9))).toBeUndefined();
  expect(beyondListed(1, 'state:none -is:tapped', runtime({ held: 9 }, 9))).toBeUndefined();
  expect(beyondListed(1, 'state:held', undefined)).toBeUndefined();
});

test('no subscription is counted in messages', () => {
  expect(viewAmount('none', runtime({}), 3)).toBe(3);
});

test('messages that were never published need attention too, and are no deliveries', () => {
  const unpublished = { ...runtime({ parked: 2, expired: 1 }), unpublished: 1 };
  expect(viewAmount('attention', unpublished, 0)).toBe(4);
  expect(viewAmount('dead-lettered', unpublished, 0)).toBe(0);
  expect(beyondListed(2, NEEDS_ATTENTION, unpublished)).toBe('3 deliveries and 1 message without one');
  expect(beyondListed(4, NEEDS_ATTENTION, unpublished)).toBeUndefined();
  expect(amountText('attention', 1, 1)).toBe('1 message without a delivery');
});

test('the number of dropped messages has those that were dropped at their publish, which the list has too', () => {
  const early = { ...runtime({ dropped: 2 }), droppedEarly: 1, unpublished: 4 };
  expect(viewAmount('dropped', early, 0)).toBe(3);
  expect(beyondListed(2, 'state:dropped', early)).toBe('2 deliveries and 1 message without one');
  expect(beyondListed(3, 'state:dropped', early)).toBeUndefined();
});
