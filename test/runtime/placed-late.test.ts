/** A delivery that ends at once, with a copy on its dead-letter topic, and a process that ends before the copy is on disk. */
import { expect, test } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** No rule matches and there is no default route. */
const NOWHERE = {
  topic: 'orders',
  routes: { rules: [{ match: 'event.type == "other"', path: '/other' }] },
  deadLetterTopic: 'orders-dead',
};

/** The process ends when the copy is about to be written. */
function crashAtCopy(stand: Stand): void {
  const { journal } = stand;
  const append = journal.append.bind(journal);
  journal.append = (records) => {
    const hasCopy = records.some(
      (record) => record.kind === 'message.accepted' && record.message.row.source === 'dead-letter',
    );
    if (hasCopy) stand.crash();
    return append(records);
  };
}

async function endsWithACopy(stand: Stand): Promise<void> {
  await stand.start();
  await stand.pass(200);
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  expect(items.map(({ topic, source }) => [topic, source])).toEqual([
    ['orders', 'http'],
    ['orders-dead', 'dead-letter'],
  ]);
  expect(items[0]).toMatchObject({ deliveries: [{ state: 'dead-lettered' }] });
  expect(items[0]?.stage).toBeUndefined();
}

test('when it is published', async () => {
  const stand = await started({}, (it) => subscribe(it, NOWHERE));
  crashAtCopy(stand);
  void stand.publish('orders').catch(() => undefined);
  await stand.settle();
  await endsWithACopy(stand);
});

test('when its app is known at last', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, NOWHERE);
    it.app.isOpen = false;
  });
  const id = await stand.publish('orders');
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting' });
  crashAtCopy(stand);
  stand.app.isOpen = true;
  await stand.pass(200);
  await endsWithACopy(stand);
});
