/** The facts in the head of a message, and the whole text of one that may be cut. */
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { headFacts, targetOf } from '../../renderer/components/detail/HeadFacts.tsx';
import { FACTS } from '../../renderer/copy/detail.ts';
import { clockSeconds } from '../../renderer/format/clock-time.ts';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

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

test('the number of attempts is not read as a part of a list: the limit has its own word', () => {
  const attempts = (change: Parameters<typeof wholeDelivery>[0]): string | undefined =>
    headFacts(wholeMessage(), wholeDelivery(change)).find(({ title }) => title === FACTS.attempts)?.whole;
  const made = Array.from({ length: 11 }, (_, n) => attemptWith({ number: n + 1 }));
  expect(attempts({ attempts: made, maxAttempts: 20, state: 'parked' })).toBe('11 (max 20)');
  expect(attempts({ attempts: made, maxAttempts: 20 })).toBe('11 (max 20) · 9 left');
});
