/** A message that goes on while it is read: its state is never told with the attempts of before. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

test('a message that is parked while it is read has all its attempts', async () => {
  const stand = await started();
  stand.app.answerWith = () => 'RETRY';
  const messageId = await stand.publish('orders', { n: 1 });
  await stand.settle();
  const get = stand.journal.get.bind(stand.journal);
  let reads = 0;
  stand.journal.get = async (asked) => {
    const found = await get(asked);
    reads += 1;
    // The first answer is on its way while the app is called for the last times.
    if (reads === 1) await stand.pass(600_000);
    return found;
  };
  const { deliveries } = await stand.runtime.messages.detail(messageId);
  const [delivery] = deliveries;
  expect(delivery?.state).toBe('parked');
  expect(delivery?.attempts).toHaveLength(10);
  expect(delivery?.transitions.at(-1)).toMatchObject({ to: 'parked' });
  expect(reads).toBe(2);
});

test('a message whose records the journal refuses is shown as far as the journal has it', async () => {
  const stand = await started();
  stand.app.answerWith = () => 'RETRY';
  const messageId = await stand.publish('orders', { n: 1 });
  await stand.settle();
  stand.journal.failure = new Error('no room');
  await stand.pass(600_000);
  const [delivery] = (await stand.runtime.messages.detail(messageId)).deliveries;
  expect(delivery?.attempts.length).toBeGreaterThan(0);
});
