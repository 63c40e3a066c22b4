/** Deliveries whose subscription is gone: they wait until the app subscribes again, and go out as they were made. */
import { describe, expect, test } from 'vitest';
import { component } from '../support/listed-components.ts';
import type { SeenCall } from '../support/scripted-app.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const BULK = {
  topic: 'orders',
  route: '/batches',
  bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 200 },
  deadLetterTopic: 'dead',
};
const SINGLE = { topic: 'orders', route: '/single' };
const RETRIES = { maxAttempts: 3, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 };

function entriesOf(call: SeenCall): readonly { readonly entryId: string; readonly event: unknown }[] {
  const { entries } = call.json();
  return Array.isArray(entries) ? (entries as readonly { entryId: string; event: unknown }[]) : [];
}

/** 200 with SUCCESS for each entry of a batch, or for the message. */
function accepting(stand: Stand): void {
  stand.app.answerWith = (call) => ({
    body: {
      status: 'SUCCESS',
      statuses: entriesOf(call).map(({ entryId }) => ({ entryId, status: 'SUCCESS' })),
    },
  });
}

/** Path and number of entries of each call; 0: it was no batch. */
function calls(stand: Stand): string[] {
  return stand.app.calls.map((call) => `${call.path} ${entriesOf(call).length}`);
}

async function bulkStand(...subscriptions: readonly object[]): Promise<Stand> {
  const stand = await started({}, (it) =>
    subscribe(it, ...(subscriptions.length === 0 ? [BULK] : subscriptions)),
  );
  accepting(stand);
  stand.set('delivery.retry', RETRIES);
  return stand;
}

/** The app says anew what it subscribes to. */
async function says(stand: Stand, ...subscriptions: readonly object[]): Promise<void> {
  subscribe(stand, ...subscriptions);
  await stand.runtime.discover();
  await stand.settle();
}

/** The next start finds the component's server away. */
async function restartWithout(stand: Stand): Promise<void> {
  stand.crash();
  stand.components.components = [component('pubsub', 'pubsub.away')];
  stand.components.own.set('pubsub', () => {
    throw new Error('the server is away');
  });
  await stand.start();
}

async function componentBack(stand: Stand): Promise<void> {
  stand.components.own.delete('pubsub');
  stand.components.components = [component('pubsub', 'pubsub.in-memory')];
  await stand.runtime.reload();
  await stand.settle();
}

describe('an app that drops its subscription', () => {
  test('is sent nothing of what waits, however long; subscribed again, it gets the batch as it was made', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual([]);
    expect(await stand.delivery(id)).toMatchObject({
      state: 'queued',
      waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
    });
    expect((await stand.way(id)).at(-1)).toBe('queued policy.no-subscription (policy)');
    expect(stand.logged('warn')).toContain('1 delivery waits for app to subscribe to pubsub/orders again.');
    await says(stand, BULK);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect(await stand.states(id)).toEqual(['processed']);
    expect((await stand.delivery(id)).waitsFor).toBeUndefined();
  });

  test('a list row says what is waited for, and no longer once the app subscribes', async () => {
    const stand = await bulkStand({
      ...BULK,
      bulkSubscribe: { ...BULK.bulkSubscribe, maxMessagesCount: 10 },
    });
    const id = await stand.publish('orders', 1);
    const row = async (): Promise<unknown> => {
      const { items } = await stand.journal.page({ order: 'oldest', limit: 1, nowMs: stand.clock.now() });
      return items.find(({ messageId }) => messageId === id)?.deliveries[0];
    };
    await says(stand);
    expect(await row()).toMatchObject({ waitsFor: { pubsubname: 'pubsub', topic: 'orders' } });
    await says(stand, BULK);
    expect(await row()).toMatchObject({ state: 'queued' });
    expect(await row()).not.toHaveProperty('waitsFor');
  });

  test('what is to be tried again waits from the moment at which it is due, and keeps its attempts', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(999);
    expect(await stand.delivery(id)).toMatchObject({ state: 'retrying' });
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', maxAttempts: 3, waitsFor: {} });
    await says(stand, SINGLE);
    expect((await stand.way(id)).slice(-2)).toEqual([
      'attempting policy.retry (policy)',
      'processed single.2xx.success (app)',
    ]);
  });

  test('a batch under way when the subscription goes: its answer counts, what is left over waits', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    await says(stand);
    expect(calls(stand)).toEqual(['/batches 2']);
    stand.app.calls[0]?.answer(500);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual(['/batches 2']);
    for (const id of ids) expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    await says(stand, BULK);
    await stand.pass(0);
    expect(calls(stand)).toEqual(['/batches 2', '/batches 2']);
    for (const id of ids) expect(await stand.states(id)).toEqual(['processed']);
  });

  test('a batch under way that uses up its attempts goes to its dead-letter topic all the same', async () => {
    const stand = await bulkStand(BULK, { topic: 'dead', route: '/dead' });
    stand.set('delivery.retry', { ...RETRIES, maxAttempts: 1 });
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    await says(stand, { topic: 'dead', route: '/dead' });
    stand.app.calls[0]?.answer(500);
    await stand.pass(0);
    for (const id of ids) expect(await stand.delivery(id)).toMatchObject({ state: 'dead-lettered' });
    expect(calls(stand).slice(1)).toEqual(['/dead 0', '/dead 0']);
  });

  test.each([
    ['another route', { ...BULK, route: '/other' }],
    ['without bulk', { topic: 'orders', route: '/batches' }],
    ['another route, without bulk, with raw payloads', { ...SINGLE, metadata: { rawPayload: 'true' } }],
    ['other limits', { ...BULK, bulkSubscribe: { enabled: true, maxMessagesCount: 50 } }],
  ])('what was made before keeps route, form and limits: subscribed again with %s', async (_, next) => {
    const stand = await bulkStand();
    await stand.publish('orders', 1);
    await says(stand);
    await stand.publish('orders', 'nobody');
    await says(stand, next);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    const [entry] = entriesOf(stand.app.calls[0] as SeenCall);
    expect(entry?.event).toMatchObject({ data: 1, topic: 'orders' });
  });

  test('bulk turned on: what was made before goes out by itself, to its own route', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    await stand.publish('orders', 1);
    await says(stand, BULK);
    await stand.publish('orders', 2);
    await stand.publish('orders', 3);
    await stand.pass(1000);
    expect(calls(stand)).toEqual(['/single 0', '/batches 2', '/single 0']);
  });

  test('raw and enveloped entries of one route never share a batch', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang', 'hang');
    await stand.publish('orders', 1);
    await says(stand, { ...BULK, metadata: { rawPayload: 'true' } });
    await stand.publish('orders', 2);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    stand.app.calls[0]?.answer(200);
    await stand.settle();
    expect(calls(stand)).toEqual(['/batches 1', '/batches 1']);
    const forms = stand.app.calls.map((call) => typeof entriesOf(call)[0]?.event);
    expect(forms).toEqual(['object', 'string']);
  });

  test('a file may take the place of the app: the same subscription is active again', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    await says(stand);
    stand.components.subscriptions = [
      {
        apiVersion: 'sidelight.io/v2alpha1',
        kind: 'Subscription',
        metadata: { name: 'orders' },
        spec: { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/from-file' } },
      },
    ];
    await stand.runtime.reload();
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('drop, dead-letter, hold and retry by hand stay possible; the TTL still expires it', async () => {
    const stand = await bulkStand(SINGLE, { topic: 'dead', route: '/dead' });
    stand.app.answerWith = (call) => (call.path === '/dead' ? 200 : 500);
    const made = [];
    for (const ttl of ['', '', '', '', '30']) {
      const metadata = ttl === '' ? {} : { metadata: { ttlInSeconds: ttl } };
      made.push(await stand.publish('orders', 1, metadata));
    }
    const [dropped = '', copied = '', held = '', retried = '', expired = ''] = made;
    await says(stand, { topic: 'dead', route: '/dead' });
    await stand.runtime.retry({ messageId: retried });
    expect(await stand.delivery(retried)).toMatchObject({ state: 'queued', waitsFor: {} });
    await stand.pass(5000);
    const before = stand.app.calls.length;
    await stand.runtime.drop({ messageId: dropped });
    await stand.runtime.deadLetter({ messageId: copied }, 'dead');
    await stand.runtime.hold({ messageId: held });
    expect((await stand.delivery(held)).waitsFor).toBeUndefined();
    await stand.runtime.release({ messageId: held });
    expect(await stand.delivery(held)).toMatchObject({ state: 'queued', waitsFor: {} });
    await stand.pass(30_000);
    const states = await Promise.all(made.map((id) => stand.states(id)));
    expect(states.flat()).toEqual(['dropped', 'dead-lettered', 'queued', 'queued', 'expired']);
    expect(stand.app.calls.slice(before).map(({ path }) => path)).toEqual(['/dead']);
    accepting(stand);
    await says(stand, SINGLE);
    await stand.pass(0);
    expect([await stand.states(held), await stand.states(retried)]).toEqual([['processed'], ['processed']]);
  });

  test('messages that were removed while they waited are not sent later', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(1000);
    await stand.runtime.bin.remove({ messageIds: [id] });
    await stand.pass(11_000);
    await says(stand, SINGLE);
    await stand.pass(0);
    expect(stand.app.calls).toHaveLength(1);
  });
});

describe('a component that is not there', () => {
  test('after a restart without its server nothing goes out and no attempt is used; with it the batch is made', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    stand.app.calls.length = 0;
    await restartWithout(stand);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual([]);
    for (const id of ids)
      expect(await stand.delivery(id)).toMatchObject({
        state: 'queued',
        waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
        subscription: { settings: { bulk: { maxMessagesCount: 2 }, deadLetterTopic: 'dead' } },
      });
    await componentBack(stand);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 2']);
    for (const id of ids) expect(await stand.states(id)).toEqual(['processed']);
  });

  test('one restart after another says it once', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    for (let i = 0; i < 3; i += 1) await restartWithout(stand);
    const said = (await stand.way(id)).filter((step) => step.includes('policy.no-subscription'));
    expect(said).toHaveLength(1);
  });

  test('removed from the files, and back: what waited goes on', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    stand.components.components = [];
    await stand.runtime.reload();
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    await componentBack(stand);
    await stand.pass(0);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('a subscription that the component refuses is not active: what is open waits for it', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    let refusal: string | undefined = 'no room for another consumer';
    stand.components.components = [component('pubsub', 'pubsub.refusing')];
    stand.components.own.set('pubsub', () => ({
      features: {
        bulkPublish: false,
        bulkSubscribe: false,
        ttl: false,
        wildcards: false,
        keepsHistory: false,
        redelivers: false,
      },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async () => undefined,
      subscribe: async () => {
        if (refusal !== undefined) throw new Error(refusal);
        return { close: async () => undefined };
      },
    }));
    await stand.runtime.reload();
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    refusal = undefined;
    await stand.pass(120_000);
    expect(await stand.states(id)).toEqual(['processed']);
  });
});

test('a delivery of an older history has no settings: it waits all the same, and then goes as the subscription says', async () => {
  const stand = await bulkStand();
  const id = await stand.publish('orders', 1);
  stand.crash();
  const last = stand.journal.records.findLast((record) => record.kind === 'delivery');
  if (last?.kind !== 'delivery') throw new Error('there is no delivery');
  const { settings: _settings, ...subscription } = last.delivery.subscription;
  stand.journal = stand.journal.reopened();
  await stand.journal.append([{ kind: 'delivery', delivery: { ...last.delivery, subscription } }]);
  subscribe(stand);
  await stand.start();
  await stand.pass(60_000);
  expect(calls(stand)).toEqual([]);
  accepting(stand);
  await says(stand, BULK);
  await stand.pass(200);
  expect(calls(stand)).toEqual(['/batches 1']);
  const { subscription: kept } = await stand.delivery(id);
  expect(kept.settings).toMatchObject({ deadLetterTopic: 'dead' });
});
