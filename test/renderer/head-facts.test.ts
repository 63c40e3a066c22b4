/** The facts in the head of a message, and the whole text of one that may be cut. */
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Delivery, RetryPolicyNow, Transition } from '../../core/contract/message.ts';
import { headFacts, targetOf } from '../../renderer/components/detail/HeadFacts.tsx';
import { FACTS } from '../../renderer/copy/detail.ts';
import { clockSeconds } from '../../renderer/format/clock-time.ts';
import { attemptWith, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const NEXT = '2026-03-01T14:40:00Z';
const EXPIRY = '2026-03-01T15:10:05Z';

const wholeNext = (state: DeliveryState, expiresAt?: string): string | undefined =>
  headFacts(
    wholeMessage(expiresAt === undefined ? {} : { expiresAt }),
    wholeDelivery({ state, nextAttemptAt: NEXT }),
  ).find(({ title }) => title === FACTS.next || title === FACTS.expires)?.whole;

test('the next attempt and the expiry are together in the text that shows where they are cut', () => {
  expect(wholeNext('retrying', EXPIRY)).toBe(`at ${clockSeconds(NEXT)} · expires at ${clockSeconds(EXPIRY)}`);
});

test('a delivery over gRPC is no POST, and a route of it may have no path', () => {
  const to = (change: Parameters<typeof wholeDelivery>[0]): string | undefined =>
    headFacts(wholeMessage(), wholeDelivery(change)).find(({ title }) => title === FACTS.app)?.whole;
  const subscription = { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' } as const;
  const attempts = [attemptWith({ protocol: 'grpc' })];
  expect(to({})).toBe('app → POST /orders');
  expect(to({ attempts })).toBe('app → gRPC /orders');
  expect(to({ attempts: [], subscription: { ...subscription, settings: { protocol: 'grpc' } } })).toBe(
    'app → gRPC /orders',
  );
  expect(to({ attempts, route: { path: '' } })).toBe('app → gRPC');
  expect(to({ attempts: [], route: { path: '' }, state: 'parked' })).toBe('app → no route');
});

test('a replay to a delivery without a route names the app alone', () => {
  expect(targetOf(wholeDelivery())).toBe('app → POST /orders');
  const without = { attempts: [], route: { path: '' } };
  expect(targetOf(wholeDelivery({ ...without, state: 'parked' }))).toBe('app');
  expect(targetOf(wholeDelivery({ ...without, state: 'queued' }))).toBe('app');
  const subscription = { pubsubname: 'pubsub', topic: 'orders', source: 'streaming' } as const;
  expect(targetOf(wholeDelivery({ ...without, subscription }))).toBe('app → its stream');
  const attempts = [attemptWith({ protocol: 'grpc' })];
  expect(targetOf(wholeDelivery({ ...without, attempts }))).toBe('app → gRPC');
});

test('a single time is never cut', () => {
  expect(wholeNext('retrying')).toBe('');
  expect(wholeNext('queued', EXPIRY)).toBe('');
});

const attempts = (change: Parameters<typeof wholeDelivery>[0]): string | undefined =>
  headFacts(wholeMessage(), wholeDelivery(change)).find(({ title }) => title === FACTS.attempts)?.whole;

/** As many attempts as this, each begun by a transition of its own, and the retry of a person after the tenth. */
function retriedAfterTen(count: number): Pick<Delivery, 'attempts' | 'transitions'> {
  const made = Array.from({ length: count }, (_, n) => attemptWith({ attemptId: `att_${n}`, number: n + 1 }));
  const life = (number: number, sequence: number): Transition[] => [
    transitionBy(number === 1 ? 'policy.attempt' : 'policy.retry', 'attempting', {
      from: number === 1 ? 'queued' : 'retrying',
      sequence,
      cause: 'policy',
    }),
    transitionBy('single.other', 'retrying', { sequence: sequence + 1 }),
  ];
  const retried = [
    transitionBy('policy.exhausted', 'parked', { from: 'retrying', sequence: 30, cause: 'policy' }),
    transitionBy('user.retry', 'queued', { from: 'parked', sequence: 31, cause: 'user' }),
  ];
  const numbers = made.map(({ number }) => number);
  const transitions = [
    ...numbers.filter((n) => n <= 10).flatMap((n) => life(n, 2 * n)),
    ...retried,
    ...numbers.filter((n) => n > 10).flatMap((n) => life(n, 20 + 2 * n)),
  ];
  return { attempts: made, transitions };
}

/** The retry policy of the moment, for a delivery with this many attempts before its round. */
function policyNow(maxAttempts: number, before = 0): RetryPolicyNow {
  const lastAttempt = maxAttempts === 0 ? {} : { lastAttempt: before + maxAttempts };
  return { maxAttempts, firstDelayMs: 100, factor: 1, maxDelayMs: 100, from: 'here', ...lastAttempt };
}

test('after a retry the attempts since then stand beside the limit of the policy', () => {
  const policy = policyNow(10, 10);
  const one = { ...retriedAfterTen(11), maxAttempts: 20, policy };
  expect(attempts({ ...one, state: 'processed' })).toBe('11: 10 before the retry, 1 of 10 since');
  expect(attempts({ ...one, state: 'retrying' })).toBe('11: 10 before the retry; 9 of 10 left since');
  expect(attempts({ ...retriedAfterTen(10), maxAttempts: 20, policy, state: 'queued' })).toBe(
    '10: 10 before the retry, 0 of 10 since',
  );
  expect(attempts({ ...retriedAfterTen(20), maxAttempts: 20, policy, state: 'parked' })).toBe(
    '20: 10 before the retry, 10 of 10 since',
  );
});

test('the limit is that of the policy which decides next; what has ended keeps the one that ended it', () => {
  const made = Array.from({ length: 5 }, (_, n) => attemptWith({ number: n + 1 }));
  const told = (state: DeliveryState, most: number): string | undefined =>
    attempts({ attempts: made, maxAttempts: 10, policy: policyNow(most), state });
  expect(told('retrying', 20)).toBe('5 (max 20) · 15 left');
  expect(told('retrying', 0)).toBe('5 · no limit');
  // The attempt that it waits for is made, and is the last one.
  expect(told('retrying', 3)).toBe('5 · 1 left');
  expect(told('attempting', 3)).toBe('5 · none left');
  expect(told('processed', 20)).toBe('5 (max 10)');
});

test('the number of attempts is not read as a part of a list: the limit has its own word', () => {
  const made = Array.from({ length: 11 }, (_, n) => attemptWith({ number: n + 1 }));
  expect(attempts({ attempts: made, maxAttempts: 20, state: 'parked' })).toBe('11 (max 20)');
  expect(attempts({ attempts: made, maxAttempts: 20 })).toBe('11 (max 20) · 9 left');
});
