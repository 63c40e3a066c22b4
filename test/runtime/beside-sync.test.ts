/** A broker that keeps what it was given takes a message while the disk still works for it; its publisher hears of both. */
import { beforeEach, expect, test } from 'vitest';
import { JournalError } from '../../core/ports/journal.ts';
import type { InboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

type Stand = Awaited<ReturnType<typeof started>>;

/** Topics of what the component was given. */
let given: string[];
/** The component says that it has a message once this has ended. */
let taking: Promise<void> | undefined;
let sync: { readonly end: () => void; readonly fail: (error: Error) => void; readonly over: Promise<void> };
beforeEach(() => {
  given = [];
  taking = undefined;
  let end = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const over = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // A test that never ends it hears nothing of it.
  over.catch(() => undefined);
  sync = { end, fail, over };
});

function broker(redelivers: boolean): PubSub {
  let take: ((message: InboundMessage) => Promise<Taken>) | undefined;
  return {
    features: {
      bulkPublish: false,
      bulkSubscribe: false,
      ttl: false,
      wildcards: false,
      keepsHistory: redelivers,
      redelivers,
    },
    capabilities: [],
    start: async () => undefined,
    close: async () => undefined,
    publish: async ({ messageId, topic, wire, metadata }) => {
      given.push(topic);
      void take?.({ messageId, topic, wire, metadata });
      await taking;
    },
    subscribe: async (_topic, _options, took) => {
      take = took;
      return { close: async () => undefined };
    },
  };
}

async function standWith(redelivers: boolean): Promise<Stand> {
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.own')];
    it.components.own.set('pubsub', () => broker(redelivers));
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  stand.journal.sync = sync.over;
  return stand;
}

/** Publishes, and notes how it ended. */
function publishing(stand: Stand): { answer: unknown } {
  const one: { answer: unknown } = { answer: 'none yet' };
  stand.publish('orders').then(
    (id) => (one.answer = id),
    (error: unknown) => (one.answer = error),
  );
  return one;
}

test('a broker that redelivers gets a message during its sync, and the answer waits for the sync', async () => {
  const stand = await standWith(true);
  const one = publishing(stand);
  await stand.pass(0);
  expect([given, stand.app.calls.length, one.answer]).toEqual([['orders'], 1, 'none yet']);
  sync.end();
  await stand.pass(0);
  expect(await stand.states(String(one.answer))).toEqual(['processed']);
  expect(given).toEqual(['orders']);
});

test('the answer to a publish waits for the broker too', async () => {
  let taken = (): void => undefined;
  taking = new Promise<void>((go) => (taken = go));
  const stand = await standWith(true);
  const one = publishing(stand);
  sync.end();
  await stand.pass(0);
  expect(one.answer).toBe('none yet');
  taken();
  await stand.pass(0);
  expect(one.answer).toMatch(/^msg_/);
});

test('a component that stores nothing gets a message after its sync', async () => {
  const stand = await standWith(false);
  const one = publishing(stand);
  await stand.pass(0);
  expect([given, one.answer]).toEqual([[], 'none yet']);
  sync.end();
  await stand.pass(0);
  expect([given, one.answer]).toEqual([['orders'], expect.stringMatching(/^msg_/)]);
});

test('after a failed sync the publish is refused, and the message that the broker has is delivered with a note and stored', async () => {
  const stand = await standWith(true);
  const one = publishing(stand);
  await stand.pass(0);
  sync.fail(new JournalError('full', 'no space left on the device'));
  await stand.pass(0);
  expect(one.answer).toMatchObject({ params: { reason: 'no space left on the device' } });
  stand.journal.sync = undefined;
  await stand.pass(1000);
  const { items } = await stand.journal.page({ order: 'newest', limit: 10, nowMs: 0 });
  expect(items).toMatchObject([
    { flags: [expect.stringContaining('Its publisher got an error')], deliveries: [{ state: 'processed' }] },
  ]);
  expect(given).toEqual(['orders']);
});
