/** Messages that were refused or expired before any delivery: no count of deliveries has them, so they are counted apart. */
import { expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started } from '../support/runtime-stand.ts';

test('a message that expires while it is held at its publish is counted until it is removed', async () => {
  const stand = await started({ journal: new LastingJournal() });
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const [id] = [
    await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '60' } }),
    await stand.publish('orders'),
  ];
  expect(stand.runtime.status()).not.toHaveProperty('unpublished');
  await stand.pass(60_000);
  expect(await stand.message(id)).toMatchObject({ stage: 'expired', deliveries: [] });
  expect(stand.runtime.status()).toMatchObject({ unpublished: 1, counts: { expired: 0 } });
  stand.crash();
  await stand.start();
  expect(stand.runtime.status()).toMatchObject({ unpublished: 1 });
  await stand.runtime.removals.removeAtOnce([id]);
  expect(stand.runtime.status()).not.toHaveProperty('unpublished');
  await stand.stop();
});

test('a message that is dropped while it is held at its publish is counted until it is removed', async () => {
  const stand = await started({ journal: new LastingJournal() });
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const id = await stand.publish('orders', 'x');
  expect(stand.runtime.status()).not.toHaveProperty('droppedEarly');
  await stand.runtime.deliveryActions.drop({ messageId: id });
  expect(await stand.message(id)).toMatchObject({ stage: 'dropped', deliveries: [] });
  expect(stand.runtime.status()).toMatchObject({ droppedEarly: 1, counts: { dropped: 0 } });
  stand.crash();
  await stand.start();
  expect(stand.runtime.status()).toMatchObject({ droppedEarly: 1 });
  await stand.runtime.removals.removeAtOnce([id]);
  expect(stand.runtime.status()).not.toHaveProperty('droppedEarly');
  await stand.stop();
});
