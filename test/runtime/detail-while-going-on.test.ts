/** A message that goes on while it is read: its state is never told with the attempts of before. */
import { expect, test } from 'vitest';
import type { Delivery } from '../../core/contract/message.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** A message whose first attempt of four has failed, and which fails once more during each of the first reads of its record. */
async function failingWhileRead(reads: number): Promise<{ stand: Stand; messageId: string; done: number[] }> {
  const stand = await started();
  stand.set('delivery.retry', { maxAttempts: 4, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 });
  stand.app.answerWith = () => 'RETRY';
  const messageId = await stand.publish('orders', { n: 1 });
  await stand.settle();
  const done: number[] = [];
  const get = stand.journal.get.bind(stand.journal);
  stand.journal.get = async (asked) => {
    const found = await get(asked);
    done.push(found?.deliveries[0]?.attempts.length ?? 0);
    if (done.length <= reads) await stand.pass(1000);
    return found;
  };
  return { stand, messageId, done };
}

async function deliveryOf(stand: Stand, messageId: string): Promise<Delivery | undefined> {
  return (await stand.runtime.messages.detail(messageId)).deliveries[0];
}

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

test('a message that goes on during two reads is read a third time', async () => {
  const { stand, messageId, done } = await failingWhileRead(2);
  const { state, attempts } = (await deliveryOf(stand, messageId)) ?? {};
  expect(done).toEqual([1, 2, 3]);
  expect([state, attempts?.length]).toEqual(['retrying', 3]);
});

test('a message that goes on during every read is told as it was at the last one', async () => {
  const { stand, messageId, done } = await failingWhileRead(3);
  const { state, attempts, transitions } = (await deliveryOf(stand, messageId)) ?? {};
  expect(done).toEqual([1, 2, 3]);
  expect([state, attempts?.length, transitions?.at(-1)?.to]).toEqual(['retrying', 3, 'retrying']);
  // Whoever asks next sees where it has come to.
  const next = await deliveryOf(stand, messageId);
  expect([next?.state, next?.attempts.length]).toEqual(['parked', 4]);
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
