/** The words below Publish about what became of the message: an accepted one is not delivered yet. */
import { expect, test } from 'vitest';
import { fateOf, type Fate } from '../../renderer/views/publish/fate.ts';
import { deliveryIn } from './samples.ts';

const HOLDS = [
  { holdId: 'h1', name: 'orders', filter: 'topic:orders' },
  { holdId: 'h2', filter: 'topic:refunds' },
];
const fate = (published: Partial<Parameters<typeof fateOf>[0]>): Fate =>
  fateOf({ deliveries: [], topic: 'ordrs', pubsubname: 'pubsub', ...published }, HOLDS);
const said = (published: Partial<Parameters<typeof fateOf>[0]>): string => fate(published).text;
const warning = (text: string): Fate => ({ tone: 'warning', text });

test('a message that a hold keeps at publish was accepted and is not said to be delivered', () => {
  expect(said({ stage: 'held', heldBy: 'h1' })).toBe('Accepted; held by "orders".');
});

test('a held delivery names the hold that keeps it', () => {
  const deliveries = [deliveryIn('processed'), { appId: 'mail', state: 'held' as const, heldBy: 'h2' }];
  expect(said({ deliveries })).toBe('Accepted; held by "topic:refunds".');
});

test('a message is delivered once every app has taken it', () => {
  const taken = deliveryIn('processed');
  expect(fate({ deliveries: [taken] })).toEqual({ tone: 'good', text: 'Message delivered.' });
  expect(fate({ deliveries: [taken, deliveryIn('attempting')] })).toEqual({
    tone: 'open',
    text: 'Accepted; delivery to app: Attempting.',
  });
  expect(fate({ deliveries: [taken, deliveryIn('retrying')] })).toEqual(
    warning('Accepted; delivery to app: Retrying.'),
  );
});

test('a message that nobody gets as things stand says so', () => {
  expect(fate({})).toEqual(warning('Accepted: no app subscribes to ordrs on pubsub.'));
  expect(fate({ stage: 'waiting', waitingFor: ['app'] })).toEqual(
    warning('Accepted: waiting for app to report its subscriptions.'),
  );
  expect(fate({ stage: 'waiting' })).toEqual(warning('Accepted: waiting for component pubsub to be ready.'));
  const waitsFor = { pubsubname: 'pubsub', topic: 'ordrs' };
  expect(said({ deliveries: [deliveryIn('queued', { waitsFor })] })).toBe(
    'Accepted. Waiting for the app to subscribe to pubsub/ordrs again.',
  );
  expect(fate({ expectedBy: ['app'] })).toEqual({ tone: 'open', text: 'Message accepted.' });
});
