/** Acts on old messages while the history removes the oldest: messages in use stay, and removed ones are refused as removed. */
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const REMOVAL_MS = 1000;

/** Runs with two dropped messages and a history that has room for one. */
async function full(): Promise<{ stand: Stand; first: string; second: string }> {
  const stand = await started({ journal: new LastingJournal({ durable: true }) });
  stand.app.answerWith = () => 'DROP';
  const first = await stand.publish('orders', { n: 1 });
  const second = await stand.publish('orders', { n: 2 });
  await stand.settle();
  stand.app.answerWith = () => 'hang';
  // The setting allows no fewer than a thousand.
  const prune = stand.journal.prune.bind(stand.journal);
  stand.journal.prune = async (keep, ...rest) => prune({ ...keep, maxMessages: 1 }, ...rest);
  return { stand, first, second };
}

/** Runs `during` each time a message has been read for an act, before the act continues. */
function onRead(stand: Stand, messageId: string, during: () => Promise<void>): void {
  const get = stand.journal.get.bind(stand.journal);
  stand.journal.get = async (asked) => {
    const source = await get(asked);
    if (asked === messageId) await during();
    return source;
  };
}

test('a message that is removed between its reading and the act is refused as gone', async () => {
  const { stand, first } = await full();
  const { deliveryId } = await stand.delivery(first);
  onRead(stand, first, () => stand.pass(REMOVAL_MS));
  await expect(stand.runtime.deliveryActions.retry({ deliveryId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await stand.settle();
  expect(stand.app.open).toHaveLength(0);
  expect((await stand.journal.stats()).messages).toBe(1);
});

test('a message that an act on several has read stays while the others are read', async () => {
  const { stand, first, second } = await full();
  const deliveryIds = [(await stand.delivery(first)).deliveryId, (await stand.delivery(second)).deliveryId];
  onRead(stand, second, () => stand.pass(REMOVAL_MS));
  expect(await stand.runtime.deliveryActions.retry({ deliveryIds })).toEqual({ changed: 2 });
  await stand.settle();
  expect(stand.app.open).toHaveLength(2);
  expect(await stand.journal.get(first)).toBeDefined();
});

test('a message that is removed between its reading and a removal at once counts once', async () => {
  const { stand, first } = await full();
  expect(stand.runtime.figures.counts().dropped).toBe(2);
  onRead(stand, first, () => stand.pass(REMOVAL_MS));
  expect(await stand.runtime.removals.removeAtOnce([first])).toBe(0);
  expect(stand.runtime.figures.counts().dropped).toBe(1);
  expect((await stand.runtime.journal.stats()).messages).toBe(1);
});

test('a held message that is removed while it is edited is refused as gone', async () => {
  const { stand } = await full();
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const id = await stand.publish('orders', { n: 3 });
  const { deliveryId } = await stand.delivery(id);
  let go: () => void = () => undefined;
  stand.journal.reading = new Promise((resolve) => (go = resolve));
  const releasing = stand.runtime.deliveryActions.release({ deliveryId }, { data: { n: 4 } });
  await stand.settle();
  const removing = stand.runtime.removals.removeAtOnce([id]);
  go();
  await expect(releasing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await removing).toBe(1);
});

test('a message held at publish that is removed while it is released does not come back', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }), bodyBudgetBytes: 1 });
  await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders' });
  const id = await stand.publish('orders', { n: 3 });
  let go: () => void = () => undefined;
  stand.journal.reading = new Promise((resolve) => (go = resolve));
  const releasing = stand.runtime.deliveryActions.release({ messageId: id });
  await stand.settle();
  const removing = stand.runtime.removals.removeAtOnce([id]);
  const from = stand.events.length;
  go();
  await expect(releasing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await removing).toBe(1);
  await stand.settle();
  expect(stand.events.slice(from).map(({ type }) => type)).not.toContain('message.added');
  expect(stand.app.calls).toEqual([]);
});

test('an attempt whose message is removed while its body is read is not made, and is no error', async () => {
  const { stand } = await full();
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const id = await stand.publish('orders', { n: 3 });
  const { deliveryId } = await stand.delivery(id);
  const before = stand.app.calls.length;
  const get = stand.journal.get.bind(stand.journal);
  let isRemoved = false;
  stand.journal.get = async (asked) => {
    if (!isRemoved) {
      isRemoved = true;
      await stand.runtime.removals.removeAtOnce([id]);
    }
    return get(asked);
  };
  await stand.runtime.deliveryActions.release({ deliveryId });
  await stand.settle();
  expect(await get(id)).toBeUndefined();
  expect(stand.app.calls).toHaveLength(before);
  expect(stand.logged('error')).toEqual([]);
});

test('the next removal takes a message that no act uses any more', async () => {
  const { stand, first } = await full();
  await stand.runtime.marks.update(first, { read: true });
  await stand.pass(REMOVAL_MS);
  expect(await stand.journal.get(first)).toBeUndefined();
});

test('a message that a tap has just shown is acted on, though it is not on disk yet', async () => {
  const { stand } = await full();
  let free = (): void => undefined;
  const disk = new Promise<void>((go) => (free = go));
  const append = stand.journal.append.bind(stand.journal);
  stand.journal.append = async (...records) => {
    await disk;
    return append(...records);
  };
  const prune = stand.journal.prune.bind(stand.journal);
  let act: Promise<unknown> | undefined;
  stand.journal.prune = async (...keep) => {
    const { messageIds } = stand.runtime.tapObserver.published({
      appId: 'shop',
      profile: PROFILES.sidecar,
      protocol: 'http',
      pubsubname: 'redis',
      topic: 'orders',
      // A publish with an id of its own does not wait for its event.
      body: Buffer.from('{"specversion":"1.0","id":"e1","source":"a","type":"b"}'),
      isBulk: false,
      contentType: 'application/cloudevents+json',
      metadata: {},
      caller: { address: '127.0.0.1:5000', headers: {} },
    });
    // An act that comes while the removal runs.
    act ??= Promise.resolve().then(() => stand.runtime.marks.update(messageIds[0] ?? '', { note: 'seen' }));
    return prune(...keep);
  };
  await stand.pass(REMOVAL_MS);
  free();
  await stand.pass(REMOVAL_MS);
  await expect(act).resolves.toMatchObject({ note: 'seen' });
});
