/** Acts on old messages while a history in memory is short of room: messages in use stay, and removed ones are refused as removed. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const CAPACITY = 200_000;
const LARGE = 'x'.repeat(60_000);

/** Runs with two dropped messages in a history that has room for a few. */
async function small(): Promise<{ stand: Stand; first: string; second: string }> {
  const kept = createMemoryJournal({ codec: bufferCodec, capacityBytes: CAPACITY });
  const stand = await started({ journal: new LastingJournal({ takesAtOnce: true }, kept) });
  stand.app.answerWith = () => 'DROP';
  const first = await stand.publish('orders', { n: 1 });
  const second = await stand.publish('orders', { n: 2 });
  await stand.settle();
  return { stand, first, second };
}

/** Publishes more than there is room for. */
async function flood(stand: Stand): Promise<void> {
  for (let i = 0; i < 6; i += 1) await stand.publish('others', LARGE);
}

/** Runs `during` once, when a message has been read for an act, before the act continues. */
function onRead(stand: Stand, messageId: string, during: () => Promise<void>): void {
  const get = stand.journal.get.bind(stand.journal);
  stand.journal.get = async (asked) => {
    const source = await get(asked);
    if (asked === messageId) {
      stand.journal.get = get;
      await during();
    }
    return source;
  };
}

test('a message that an act has read stays while the others are read', async () => {
  const { stand, first, second } = await small();
  const deliveryIds = [(await stand.delivery(first)).deliveryId, (await stand.delivery(second)).deliveryId];
  stand.app.answerWith = () => 'hang';
  onRead(stand, second, () => flood(stand));
  const { changed, refused = [] } = await stand.runtime.deliveryActions.retry({ deliveryIds });
  expect([changed, refused.map(({ code }) => code)]).toEqual([1, ['NOT_FOUND']]);
  await stand.settle();
  expect(stand.app.open).toHaveLength(1);
  expect(await stand.states(first)).toEqual(['attempting']);
  expect(await stand.journal.get(second)).toBeUndefined();
});

test('a message that goes between its reading and the act is refused as gone', async () => {
  const { stand, first } = await small();
  const { deliveryId } = await stand.delivery(first);
  onRead(stand, first, () => flood(stand));
  await expect(stand.runtime.deliveryActions.retry({ deliveryId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(stand.app.calls).toHaveLength(2);
});

test('once no act uses it any more, the next message that needs room replaces it', async () => {
  const { stand, first } = await small();
  await stand.runtime.marks.update(first, { read: true });
  await flood(stand);
  expect(await stand.journal.get(first)).toBeUndefined();
  expect((await stand.journal.stats()).bytes).toBeLessThanOrEqual(CAPACITY);
});
