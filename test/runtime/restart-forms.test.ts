/** Deliveries from before a restart are sent in their old form, whatever form their subscription has after it. */
import { expect, test } from 'vitest';
import { subscribe } from '../support/runtime-stand.ts';
import { accepting, BULK, bulkStand, calls, entriesOf, RETRIES, SINGLE } from './awaited.ts';

/** The wrapper of a raw payload has an id of its own at each attempt. */
const withoutId = (text: string): string => text.replace(/"id":"[^"]*"/, '');

const RAW = { metadata: { rawPayload: 'true' } };

test.each([
  ['another route', { ...BULK, route: '/other' }],
  ['single calls', { topic: 'orders', route: '/batches' }],
  ['single calls of raw payloads, elsewhere', { ...SINGLE, ...RAW }],
  ['batches of one', { ...BULK, bulkSubscribe: { enabled: true, maxMessagesCount: 1 } }],
  ['another dead-letter topic', { ...BULK, deadLetterTopic: 'elsewhere' }],
  ['rules that match nothing', { topic: 'orders', routes: { rules: [{ match: 'false', path: '/never' }] } }],
])('a batch stays a batch on its route: started again with %s', async (_, next) => {
  const stand = await bulkStand();
  stand.app.next.push('hang');
  const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
  await stand.pass(300);
  expect(calls(stand)).toEqual(['/batches 2']);
  stand.crash();
  stand.app.calls.length = 0;
  stand.app.next.length = 0;
  subscribe(stand, next);
  await stand.start();
  accepting(stand);
  stand.set('delivery.retry', RETRIES);
  await stand.pass(2000);
  expect(calls(stand)).toEqual(['/batches 2']);
  for (const id of ids) expect(await stand.states(id)).toEqual(['processed']);
});

test.each([
  ['raw to enveloped', { ...SINGLE, ...RAW }, SINGLE],
  ['enveloped to raw', SINGLE, { ...SINGLE, ...RAW }],
  ['raw to a batch of envelopes', { ...SINGLE, ...RAW }, BULK],
])('a single call keeps its form and its bytes: %s', async (_, before, after) => {
  const stand = await bulkStand(before);
  stand.app.next.push('hang');
  const id = await stand.publish('orders', { n: 1 });
  const [{ path, text } = { path: '', text: '' }] = stand.app.calls;
  stand.crash();
  stand.app.calls.length = 0;
  stand.app.next.length = 0;
  subscribe(stand, after);
  await stand.start();
  await stand.pass(2000);
  expect(stand.app.calls.map((call) => [call.path, withoutId(call.text)])).toEqual([[path, withoutId(text)]]);
  expect(entriesOf(stand.app.last)).toEqual([]);
  expect(await stand.states(id)).toEqual(['processed']);
});

test.each([
  ['another', 'elsewhere'],
  ['none', undefined],
])(
  'a delivery whose attempts are used up after the restart goes to its own dead-letter topic, not to %s',
  async (_, next) => {
    const dead = { topic: 'dead', route: '/dead' };
    const stand = await bulkStand({ ...SINGLE, deadLetterTopic: 'dead' }, dead);
    stand.set('delivery.retry', { ...RETRIES, maxAttempts: 2 });
    stand.app.answerWith = ({ path }) => (path === '/single' ? 500 : 200);
    const id = await stand.publish('orders', 1);
    expect(await stand.states(id)).toEqual(['retrying']);
    stand.crash();
    subscribe(stand, { ...SINGLE, ...(next === undefined ? {} : { deadLetterTopic: next }) }, dead);
    await stand.start();
    stand.set('delivery.retry', { ...RETRIES, maxAttempts: 2 });
    await stand.pass(3000);
    expect(await stand.states(id)).toEqual(['dead-lettered']);
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/single', '/single', '/dead']);
  },
);
