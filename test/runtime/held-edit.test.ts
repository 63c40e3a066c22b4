/** "Edit and release" of a message that is held at publish: what is sent, what the history has, what survives. */
import { describe, expect, test } from 'vitest';
import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import { JournalError } from '../../core/ports/journal.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { LastingJournal } from '../support/lasting-journal.ts';

const FLAG = 'A person changed the message while it was held.';

/** Reason with which the component refuses publishes; undefined: it accepts them. */
let refusal: string | undefined;

async function withHeld(data: unknown = { n: 1 }, journal = new LastingJournal()): Promise<[Stand, string]> {
  refusal = undefined;
  const stand = await started({ journal }, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'refunds', route: '/refunds' });
    it.components.own.set('pubsub', () => refusing(it));
  });
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  return [stand, await stand.publish('orders', data)];
}

/** The component in memory, which takes nothing while there is a `refusal`. */
function refusing({ clock }: Stand): PubSub {
  const inner = createMemoryPubSub({ broker: new MemoryBroker({ clock, log: { write: () => undefined } }) });
  return {
    features: inner.features,
    capabilities: inner.capabilities,
    start: (...given) => inner.start(...given),
    publish: async (message) => {
      if (refusal !== undefined) throw new Error(refusal);
      await inner.publish(message);
    },
    subscribe: (...given) => inner.subscribe(...given),
    close: () => inner.close(),
  };
}

describe('a message that is held at publish, released with changes', () => {
  test('reaches the app as edited, and the history shows it so', async () => {
    const [stand, id] = await withHeld();
    const changes = { data: { n: 2, text: 'longer' }, attributes: { type: 'edited', subject: 'by hand' } };
    const before = await stand.message(id);
    expect(await stand.runtime.deliveryActions.release({ messageId: id }, changes)).toEqual({ changed: 1 });
    await stand.settle();
    expect(stand.app.calls.map((call) => call.json())).toMatchObject([
      { data: { n: 2, text: 'longer' }, type: 'edited', subject: 'by hand', topic: 'orders' },
    ]);
    const message = await stand.message(id);
    expect(message).toMatchObject({
      data: { n: 2, text: 'longer' },
      eventType: 'edited',
      subject: 'by hand',
      eventId: before.eventId,
      traceId: before.traceId,
      flags: [FLAG],
    });
    expect(message.wire.body).toHaveLength(message.sizeBytes);
    expect(message.stage).toBeUndefined();
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('to another topic reaches the subscribers of that topic and is counted there', async () => {
    const [stand, id] = await withHeld();
    await stand.runtime.deliveryActions.release({ messageId: id }, { topic: 'refunds' });
    await stand.settle();
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/refunds']);
    expect(stand.app.calls[0]?.json()).toMatchObject({ topic: 'refunds', data: { n: 1 } });
    expect(await stand.message(id)).toMatchObject({ topic: 'refunds', flags: [FLAG] });
    const counted = stand.runtime.topology.topics().map(({ topic, published }) => [topic, published]);
    expect(Object.fromEntries(counted)).toMatchObject({ orders: 0, refunds: 1 });
    expect((await stand.journal.totals()).filter(({ messages }) => messages > 0)).toMatchObject([
      { topic: 'refunds', messages: 1 },
    ]);
  });

  test('with other metadata reaches the component with them, and its time to live begins now', async () => {
    const [stand, id] = await withHeld();
    await stand.pass(5000);
    await stand.runtime.deliveryActions.release({ messageId: id }, { metadata: { ttlInSeconds: '60' } });
    await stand.settle();
    const message = await stand.message(id);
    expect(message.metadata).toEqual({ ttlInSeconds: '60' });
    expect(message.expiresAt).toBe(new Date(stand.clock.now() + 60_000).toISOString());
    expect(message.envelope).toHaveProperty('expiration');
  });

  test('and refused by the component stays held as edited, and expires as edited', async () => {
    const [stand, id] = await withHeld();
    refusal = 'no room';
    const changes = { data: { n: 2 }, metadata: { ttlInSeconds: '60' } };
    await expect(stand.runtime.deliveryActions.release({ messageId: id }, changes)).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    });
    expect(await stand.message(id)).toMatchObject({ stage: 'held', data: { n: 2 } });
    await stand.pass(60_000);
    expect(await stand.message(id)).toMatchObject({ stage: 'expired', data: { n: 2 } });
  });

  test('is as edited after a restart', async () => {
    const [stand, id] = await withHeld({ n: 1 }, new LastingJournal({ durable: true }));
    refusal = 'no room';
    await expect(
      stand.runtime.deliveryActions.release({ messageId: id }, { data: { n: 2 }, topic: 'refunds' }),
    ).rejects.toMatchObject({ code: 'ERR_PUBSUB_PUBLISH_MESSAGE' });
    stand.crash();
    refusal = undefined;
    await stand.start();
    expect(await stand.message(id)).toMatchObject({ stage: 'held', data: { n: 2 }, topic: 'refunds' });
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.settle();
    expect(stand.app.calls.map((call) => call.json())).toMatchObject([{ data: { n: 2 } }]);
    expect(await stand.message(id)).toMatchObject({
      data: { n: 2 },
      topic: 'refunds',
      flags: [FLAG, /no room/],
    });
  });

  test('stays as it was if the journal refuses the change', async () => {
    const [stand, id] = await withHeld();
    stand.journal.failure = new JournalError('full', 'no room on the disk');
    await expect(
      stand.runtime.deliveryActions.release({ messageId: id }, { data: { n: 2 } }),
    ).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    });
    stand.journal.failure = undefined;
    await stand.pass(2000);
    expect(await stand.message(id)).toMatchObject({ stage: 'held', data: { n: 1 } });
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.settle();
    expect(stand.app.calls.map((call) => call.json())).toMatchObject([{ data: { n: 1 } }]);
  });

  test('takes no answer, because there is no call to answer', async () => {
    const [stand, id] = await withHeld();
    const answer = { kind: 'respond' as const, status: 200 };
    await expect(
      stand.runtime.deliveryActions.release({ messageId: id }, undefined, answer),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    expect(await stand.message(id)).toMatchObject({ stage: 'held' });
    expect(stand.app.calls).toEqual([]);
  });
});
