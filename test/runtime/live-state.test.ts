/** Changes of a delivery in memory: what belongs together changes together, and in which order. */
import { expect, test, vi } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Transition } from '../../core/contract/message.ts';
import type { Input } from '../../core/domain/machine.ts';
import type { StoredDelivery } from '../../core/ports/journal.ts';
import { liveDelivery, liveMessage, restoredDelivery } from '../../core/runtime/state/live-state.ts';
import type { LiveDelivery } from '../../core/runtime/state/live.ts';
import { Timers } from '../../core/runtime/time/timers.ts';
import { messageRow } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';

const AT = '2026-03-01T10:01:00.000Z';
const COUNTED = { pubsubname: 'pubsub', topic: 'orders', lane: 'app\npubsub\norders' };
const SUBSCRIPTION = { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' } as const;

function newDelivery(maxAttempts = 3): LiveDelivery {
  const message = liveMessage(messageRow(1), '{}', {}, '', []);
  const of = { appId: 'app', subscription: SUBSCRIPTION, counted: COUNTED };
  const delivery = liveDelivery('del_1', message, of, maxAttempts, undefined);
  message.addDelivery(delivery);
  return delivery;
}

function enter(
  delivery: LiveDelivery,
  to: DeliveryState,
  more: { readonly input?: Input['type']; readonly heldBy?: string; readonly dueMs?: number } = {},
): void {
  const { input = 'verdict', heldBy, dueMs } = more;
  const transition: Transition = {
    from: delivery.state,
    to,
    at: AT,
    sequence: 1,
    cause: 'app',
    rule: 'single.2xx.empty',
  };
  delivery.enter(transition, to, input, heldBy, dueMs);
}

test('the due time of the next attempt comes with the state that waits for it, and leaves with it', () => {
  const delivery = newDelivery();
  enter(delivery, 'retrying', { dueMs: 1000 });
  expect(delivery.dueMs).toBe(1000);
  enter(delivery, 'retrying', { input: 'no-subscription' });
  expect([delivery.dueMs, delivery.waitsForSubscription]).toEqual([1000, true]);
  enter(delivery, 'queued', { input: 'user.retry' });
  expect([delivery.dueMs, delivery.waitsForSubscription]).toEqual([undefined, false]);
});

test('the next state forgets its hold, which a release notes before', () => {
  const delivery = newDelivery();
  enter(delivery, 'held', { input: 'hold', heldBy: 'hold_1' });
  delivery.noteRelease();
  enter(delivery, 'queued', { input: 'user.release' });
  expect(delivery).toMatchObject({ heldAt: undefined, heldBy: undefined, releasedFrom: ['hold_1'] });
});

test('each transition cancels the timer, and the end of the delivery that of its TTL', () => {
  const clock = new ManualClock();
  const timers = new Timers(clock);
  const run = vi.fn<() => void>();
  const delivery = newDelivery();
  delivery.armTtl(timers, clock.now() + 50, run);
  delivery.arm(timers, clock.now() + 10, run);
  enter(delivery, 'queued', { input: 'hold.over' });
  expect(timers.size).toBe(1);
  enter(delivery, 'processed');
  expect(timers.size).toBe(0);
  clock.advance(100);
  expect(run).not.toHaveBeenCalled();
});

test('a retry by hand opens a new round of attempts and clears a TTL that has passed', () => {
  const delivery = newDelivery(1);
  delivery.begin({ path: '/orders' }, 500);
  expect(delivery.beginAttempt('att_1')).toBe(false);
  enter(delivery, 'parked');
  delivery.retryByHand(3, 400);
  expect(delivery).toMatchObject({ roundStart: 1, maxAttempts: 4, expiresAtMs: 500 });
  delivery.retryByHand(0, 600);
  expect(delivery).toMatchObject({ roundStart: 1, maxAttempts: 0, expiresAtMs: undefined });
  expect(delivery.beginAttempt('att_2')).toBe(true);
});

test('a retry by hand while it retries stays in its round', () => {
  const delivery = newDelivery();
  delivery.beginAttempt('att_1');
  enter(delivery, 'retrying', { dueMs: 1000 });
  delivery.retryByHand(3, 0);
  expect(delivery).toMatchObject({ roundStart: 0, maxAttempts: 3 });
});

test('all callbacks hear of its end, once', () => {
  const delivery = newDelivery();
  const calls: string[] = [];
  delivery.whenEnded((taken) => calls.push(`first ${taken}`));
  delivery.whenEnded((taken) => calls.push(`second ${taken}`));
  delivery.reportEnd('done');
  delivery.reportEnd('redeliver');
  expect(calls).toEqual(['first done', 'second done']);
});

test('a restored delivery has the members of a new one in the same order', () => {
  const stored: StoredDelivery = {
    deliveryId: 'del_1',
    messageId: 'msg_1',
    appId: 'app',
    subscription: SUBSCRIPTION,
    route: { path: '/orders' },
    state: 'retrying',
    maxAttempts: 3,
    attemptCount: 1,
    roundStart: 0,
    nextAttemptAt: AT,
    waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
  };
  const made = newDelivery();
  const restored = restoredDelivery(
    made.message,
    COUNTED,
    { delivery: stored, attempts: [], transitions: [] },
    0,
  );
  expect(Object.keys(restored)).toEqual(Object.keys(made));
  expect(restored).toMatchObject({ state: 'retrying', dueMs: Date.parse(AT), waitsForSubscription: true });
});
