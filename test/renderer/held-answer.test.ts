/** The words below Publish about a message that a hold keeps. */
import { expect, test } from 'vitest';
import { heldSentence } from '../../renderer/views/publish/held-answer.ts';
import { deliveryIn } from './samples.ts';

const HOLDS = [
  { holdId: 'h1', name: 'orders', filter: 'topic:orders' },
  { holdId: 'h2', filter: 'topic:refunds' },
];
const said = (published: Partial<Parameters<typeof heldSentence>[0]>): string | undefined =>
  heldSentence({ deliveries: [], ...published }, HOLDS);

test('a message that a hold keeps at publish was accepted and is not said to be delivered', () => {
  expect(said({ stage: 'held', heldBy: 'h1' })).toBe('Accepted; held by "orders".');
});

test('a held delivery names the hold that keeps it', () => {
  const deliveries = [deliveryIn('processed'), { state: 'held' as const, heldBy: 'h2' }];
  expect(said({ deliveries })).toBe('Accepted; held by "topic:refunds".');
});

test('a message that nothing keeps has no such words', () => {
  expect(said({ deliveries: [deliveryIn('processed')] })).toBeUndefined();
  expect(said({ stage: 'waiting' })).toBeUndefined();
});
