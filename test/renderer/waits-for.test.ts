/** A delivery that waits until its app subscribes again: its chip, its name in the list, and the sentence under its state. */
import { expect, test } from 'vitest';
import type { Delivery, DeliveryRow } from '../../core/contract/message.ts';
import { causeSentence } from '../../renderer/format/cause.ts';
import { chipOf, waitText } from '../../renderer/format/row.ts';

const WAITS: DeliveryRow = {
  deliveryId: 'dlv_1',
  appId: 'shop',
  state: 'queued',
  attempts: 2,
  waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
};
const TEXT = 'Waiting for app shop to subscribe to pubsub/orders again';

test('the chip says that it waits, and for what', () => {
  expect(waitText(WAITS)).toBe(TEXT);
  expect(chipOf({ deliveries: [WAITS] })).toEqual({ kind: 'waiting', more: 0, name: TEXT, meaning: TEXT });
});

test('a delivery that does not wait for a subscription has the chip of its state', () => {
  const { waitsFor: _, ...queued } = WAITS;
  expect(waitText(queued)).toBeUndefined();
  expect(chipOf({ deliveries: [queued] })).toEqual({ kind: 'queued', more: 0, name: 'Queued' });
});

test('the sentence of its rule names app, component and topic', () => {
  const transition = {
    from: 'queued',
    to: 'queued',
    at: '2026-01-02T03:04:05.000Z',
    sequence: 3,
    cause: 'policy',
    rule: 'policy.no-subscription',
  } as const;
  const delivery: Delivery = {
    deliveryId: 'dlv_1',
    messageId: 'msg_1',
    appId: 'shop',
    subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
    route: { path: '/orders' },
    state: 'queued',
    attempts: [],
    transitions: [transition],
    maxAttempts: 10,
  };
  const message = { at: transition.at, metadata: {} };
  expect(causeSentence(transition, delivery, message, () => undefined)).toMatch(
    /^Waiting for app shop to subscribe to pubsub\/orders again/,
  );
});
