/** A hold removed with "release" releases messages one by one, and deliveries in groups: those that ended meanwhile stay ended. */
import { expect, test } from 'vitest';
import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

interface Slow {
  readonly stand: Stand;
  /** Messages that the component received, by topic, in order. */
  readonly given: string[];
  /** Publishes wait for it while it is not settled. */
  open: () => void;
}

/** Two messages, `first` and `second`, held at publish, and a component that takes `first` when it is opened. */
async function slowly(hold: { releaseAfterMs?: number } = {}): Promise<Slow & { second: string }> {
  const given: string[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((go) => (open = go));
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'first', route: '/' }, { topic: 'second', route: '/' });
    it.components.own.set('pubsub', () => {
      const inner = createMemoryPubSub({
        broker: new MemoryBroker({ clock: it.clock, log: { write: () => undefined } }),
      });
      const slow: PubSub = {
        features: inner.features,
        capabilities: inner.capabilities,
        start: (...all) => inner.start(...all),
        subscribe: (...all) => inner.subscribe(...all),
        close: () => inner.close(),
        publish: async (message) => {
          given.push(message.topic);
          if (message.topic === 'first') await gate;
          await inner.publish(message);
        },
      };
      return slow;
    });
  });
  await stand.runtime.holds.add({ at: 'publish', filter: '', ...hold });
  await stand.publish('first');
  const second = await stand.publish('second', 'x', { metadata: { ttlInSeconds: '60' } });
  return { stand, given, open: () => open(), second };
}

async function removeHold({ stand, open }: Slow, meanwhile: () => Promise<unknown>): Promise<void> {
  const [hold] = stand.runtime.holds.list();
  const removed = stand.runtime.deliveryActions.removeHold(hold?.holdId ?? '', true);
  await stand.settle();
  await meanwhile();
  await stand.settle();
  open();
  await stand.settle();
  await removed;
  await stand.settle();
}

test('a held message that is dropped during the removal of its hold is not published', async () => {
  const slow = await slowly();
  const { stand, given, second } = slow;
  await removeHold(slow, () => stand.runtime.deliveryActions.drop({ messageId: second }));
  expect(given).toEqual(['first']);
  expect(await stand.message(second)).toMatchObject({ stage: 'dropped', deliveries: [] });
  expect(stand.logged('error')).toEqual([]);
});

test('a held message that expires during the removal of its hold is not published', async () => {
  const slow = await slowly();
  const { stand, given, second } = slow;
  await removeHold(slow, () => stand.pass(60_000));
  expect(given).toEqual(['first']);
  expect(await stand.message(second)).toMatchObject({ stage: 'expired', deliveries: [] });
});

test('a held message whose time ends during the removal of its hold is published once', async () => {
  const slow = await slowly({ releaseAfterMs: 1000 });
  const { stand, given, second } = slow;
  await removeHold(slow, () => stand.pass(1000));
  expect(given).toEqual(['first', 'second']);
  expect(await stand.states(second)).toEqual(['processed']);
});

test('a held message that is removed from the history during the removal of its hold is not published', async () => {
  const slow = await slowly();
  const { stand, given, second } = slow;
  await removeHold(slow, () => stand.runtime.removals.removeAtOnce([second]));
  expect(given).toEqual(['first']);
});

test('a held delivery that is removed from the history during the removal of its hold is no failure', async () => {
  const stand = await started();
  const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  for (let n = 0; n < 500; n += 1) await stand.publish('orders', n);
  // Its turn comes with the next group.
  const last = await stand.publish('orders', 'last');
  let removing: Promise<number> | undefined;
  stand.journal.afterAppend = (records) => {
    const isRelease = records.some(
      (one) => one.kind === 'delivery' && one.transition?.rule === 'user.release',
    );
    if (isRelease) removing ??= stand.runtime.removals.removeAtOnce([last]);
  };
  await stand.during(stand.runtime.deliveryActions.removeHold(holdId, true));
  expect(await removing).toBe(1);
  await stand.pass(1);
  expect(stand.app.calls).toHaveLength(500);
  expect(stand.logged('error')).toEqual([]);
});
