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

/** The next start: topic, origin and states of every message in the end. */
async function startedAgain(stand: Stand): Promise<unknown[]> {
  await stand.start();
  await stand.pass(200);
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  return items.map(({ topic, source, stage, deliveries }) => [
    topic,
    source,
    stage,
    ...deliveries.map(({ state }) => state),
  ]);
}

const COPIED = [
  ['orders', 'http', undefined, 'dead-lettered'],
  ['orders-dead', 'dead-letter', undefined],
];

test('a message that was published before a crash has its delivery after it', async () => {
  const stand = await started({}, (it) => subscribe(it, NOWHERE));
  crashAtCopy(stand);
  void stand.publish('orders').catch(() => undefined);
  await stand.settle();
  expect(await startedAgain(stand)).toEqual(COPIED);
});

test('a message that waited for an app before a crash has its delivery after it', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, NOWHERE);
    it.app.isOpen = false;
  });
  const id = await stand.publish('orders');
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting' });
  crashAtCopy(stand);
  stand.app.isOpen = true;
  await stand.pass(200);
  expect(await startedAgain(stand)).toEqual(COPIED);
});
