/** The act that stands in the head of a message with several deliveries, none of which is chosen. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MessageRow } from '../../core/contract/message.ts';
import { HeadActs, retryHint } from '../../renderer/components/detail/HeadActs.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';
import { deliveryIn, rowNamed } from './samples.ts';

const TAKES = {
  ...{ appId: 'app', pubsubname: 'pubsub', topic: 'orders' },
  ...{ source: 'programmatic', state: 'active', rules: [], defaultPath: '/orders' },
};

function actsOf(row: MessageRow, more: object = {}): string {
  return drawn(<HeadActs subject={{ row }} delivery={undefined} />, {
    commands: { store: createStore(() => ({ pending: new Set() })) },
    connection: createStore(() => ({ link: { status: 'open' } })),
    topology: { apps: known({ items: [] }), subscriptions: known({ items: [TAKES] }) },
    ...more,
  });
}

test('it is that of the delivery that needs attention most, as the chip and the facts are', () => {
  const row = rowNamed('m1', { deliveries: [deliveryIn('processed'), deliveryIn('parked')] });
  expect(wordsOf(actsOf(row))).toMatch(/^Retry now /);
});

test('a dropped delivery whose route its subscription no longer has is rerouted first', () => {
  const at = (route: string): MessageRow =>
    rowNamed('m1', { topic: 'orders', deliveries: [deliveryIn('dropped', { route, rule: 'single.404' })] });
  expect(wordsOf(actsOf(at('/order')))).toMatch(/^Reroute Retry now /);
  expect(wordsOf(actsOf(at('/orders')))).toMatch(/^Retry now /);
  expect(wordsOf(actsOf(at('/order'), { readOnly: 'A recording.' }))).toMatch(/^Retry now /);
});

test('the hint of Retry says which address it calls', () => {
  const one = deliveryIn('dropped', { route: '/order', rule: 'single.404' });
  const row = rowNamed('m1', { topic: 'letters', deliveries: [one] });
  expect(retryHint({ row })).toBe('Calls /order of the app again.');
  const both = rowNamed('m2', { deliveries: [one, { ...one, deliveryId: 'b', route: '/b' }] });
  expect(retryHint({ row: both })).toBeUndefined();
  expect(retryHint({ row: both, deliveryId: 'b' })).toBe('Calls /b of the app again.');
});
