/** Acts on what has ended, while others act on the same: it stays one message in memory. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** Messages whose deliveries the app has dropped. */
async function dropped(stand: Stand, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  stand.app.answerWith = () => 'DROP';
  for (let n = 0; n < count; n += 1) ids.push(await stand.publish('orders', { n }));
  await stand.settle();
  return ids;
}

test('a retry of several continues with a message that is marked while the others are read', async () => {
  const stand = await started();
  const [first = '', second = ''] = await dropped(stand, 2);
  const { deliveryId } = await stand.delivery(first);
  const other = await stand.delivery(second);
  stand.app.answerWith = () => 'hang';
  let read: () => void = () => undefined;
  const reading = new Promise<void>((go) => (read = go));
  const get = stand.journal.get.bind(stand.journal);
  stand.journal.get = async (messageId) => {
    if (messageId === second) await reading;
    return get(messageId);
  };
  const retried = stand.runtime.deliveryActions.retry({ deliveryIds: [deliveryId, other.deliveryId] });
  await stand.settle();
  await stand.runtime.marks.update(first, { read: true });
  await stand.settle();
  read();
  expect(await retried).toEqual({ changed: 2 });
  await stand.settle();
  expect(stand.app.open).toHaveLength(2);
  // A delivery that was forgotten meanwhile could not be found.
  expect(await stand.runtime.runningCalls.cancel(deliveryId)).toEqual({ changed: 1 });
  await stand.runtime.deliveryActions.drop({ deliveryId });
  await stand.pass(600_000);
  expect((await stand.delivery(first)).state).toBe('dropped');
  expect(stand.app.calls.filter((call) => call.text.includes('"n":0'))).toHaveLength(2);
});

test('a retry waits for a dead letter that is refused, and continues with the same message', async () => {
  const stand = await started();
  const [first = ''] = await dropped(stand, 1);
  const { deliveryId } = await stand.delivery(first);
  stand.app.answerWith = () => 'hang';
  stand.journal.failure = new Error('no room');
  const refused = stand.runtime.deliveryActions.deadLetter({ deliveryId }, 'dead');
  const retried = stand.runtime.deliveryActions.retry({ deliveryId });
  await expect(refused).rejects.toThrow('no room');
  stand.journal.failure = undefined;
  await retried;
  await stand.pass(2000);
  expect(await stand.runtime.runningCalls.cancel(deliveryId)).toEqual({ changed: 1 });
});
