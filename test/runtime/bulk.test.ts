/** Bulk subscriptions: when a batch is sent, what is in it, and that each entry has a fate of its own. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import type { SeenCall } from '../support/scripted-app.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

interface Entry {
  readonly entryId: string;
  readonly event: { readonly data: unknown };
  readonly contentType: string;
  readonly metadata: unknown;
}

const BULK = {
  topic: 'orders',
  route: '/orders',
  bulkSubscribe: { maxMessagesCount: 3, maxAwaitDurationMs: 200 },
};

function bulkStand(more: object = {}): Promise<Stand> {
  return started({}, (stand) => subscribe(stand, { ...BULK, ...more }));
}

function entriesOf(call: SeenCall): readonly Entry[] {
  const { entries } = call.json();
  return Array.isArray(entries) ? (entries as readonly Entry[]) : [];
}

function batches(stand: Stand): unknown[][] {
  return stand.app.calls.map((call) => entriesOf(call).map(({ event }) => event.data));
}

/** Answers each entry by its data: the word to say, undefined: nothing. */
function answerEach(stand: Stand, word: (data: unknown) => string | undefined): void {
  stand.app.answerWith = (call) => ({
    body: {
      statuses: entriesOf(call).flatMap(({ entryId, event }) => {
        const status = word(event.data);
        return status === undefined ? [] : [{ entryId, status }];
      }),
    },
  });
}

async function publishAll(stand: Stand, data: readonly unknown[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of data) ids.push(await stand.publish('orders', one));
  return ids;
}

async function statesOf(stand: Stand, ids: readonly string[]): Promise<DeliveryState[]> {
  return (await Promise.all(ids.map((id) => stand.states(id)))).flat();
}

describe('a batch is sent', () => {
  test('when it is full', async () => {
    const stand = await bulkStand();
    answerEach(stand, () => 'SUCCESS');
    const ids = await publishAll(stand, [1, 2, 3, 4, 5, 6, 7]);
    expect(batches(stand)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    await stand.pass(200);
    expect(batches(stand)[2]).toEqual([7]);
    expect(new Set(await statesOf(stand, ids))).toEqual(new Set(['processed']));
  });

  test('when the oldest entry has waited long enough', async () => {
    const stand = await bulkStand();
    answerEach(stand, () => 'SUCCESS');
    await stand.publish('orders', 1);
    await stand.pass(150);
    await stand.publish('orders', 2);
    await stand.pass(49);
    expect(stand.app.calls).toHaveLength(0);
    await stand.pass(1);
    expect(batches(stand)).toEqual([[1, 2]]);
  });

  test('with the body and headers of the reference', async () => {
    const stand = await bulkStand({ metadata: { color: 'red' } });
    await publishAll(stand, [1, 2, 3]);
    const { headers } = stand.app.last;
    expect(headers).toMatchObject({ 'content-type': 'application/json', pubsubname: 'pubsub' });
    // Each entry has metadata of its own.
    expect(headers).not.toHaveProperty('color');
    expect(stand.app.last.json()).toMatchObject({
      topic: 'orders',
      pubsubname: 'pubsub',
      type: 'com.sidecar.event.sent.bulk',
      metadata: { pubsubName: 'pubsub' },
      entries: [
        { contentType: 'application/cloudevents+json', metadata: { color: 'red' }, event: { data: 1 } },
        {},
        {},
      ],
    });
  });

  test('with events as base64 to a raw subscription', async () => {
    const stand = await bulkStand({ metadata: { rawPayload: 'true' } });
    for (const body of ['a', 'b', 'c'])
      await stand.publish('orders', body, { metadata: { rawPayload: 'true' } });
    expect(stand.app.last.json()).toMatchObject({
      entries: [
        { event: 'YQ==', contentType: 'application/octet-stream' },
        { event: 'Yg==' },
        { event: 'Yw==' },
      ],
    });
  });

  test('as one POST for each route, one after another, which together count as one call', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, {
        ...BULK,
        route: undefined,
        routes: { rules: [{ match: 'event.data == 2', path: '/two' }], default: '/rest' },
      }),
    );
    stand.set('delivery.concurrency', 1);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, [1, 2, 3, 4, 5, 6]);
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/rest']);
    expect(batches(stand)).toEqual([[1, 3]]);
    stand.app.last.answer(404);
    await stand.settle();
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/rest', '/two']);
    stand.app.last.answer(404);
    await stand.settle();
    expect(batches(stand)[2]).toEqual([4, 5, 6]);
    expect(stand.app.mostInFlight).toBe(1);
  });

  test('an entry dropped by hand during the call of an earlier route is not sent', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, {
        ...BULK,
        routes: { rules: [{ match: 'event.data == 3', path: '/three' }], default: '/rest' },
      }),
    );
    stand.app.answerWith = () => 'hang';
    const [, , third = ''] = await publishAll(stand, [1, 2, 3]);
    await stand.runtime.deliveryActions.drop({ messageId: third });
    stand.app.last.answer(404);
    await stand.settle();
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.states(third)).toEqual(['dropped']);
  });
});

describe('the answer', () => {
  test('gives each entry its own status, and only entries to be retried come again, with the same entryId', async () => {
    const stand = await bulkStand();
    answerEach(stand, (data) => ({ 1: 'SUCCESS', 2: 'RETRY', 3: 'DROP' })[String(data)]);
    const ids = await publishAll(stand, [1, 2, 3]);
    expect(await statesOf(stand, ids)).toEqual(['processed', 'retrying', 'dropped']);
    const [first] = stand.app.calls;
    answerEach(stand, () => 'SUCCESS');
    await stand.pass(100);
    expect(batches(stand)).toEqual([[1, 2, 3], [2]]);
    const [retried] = entriesOf(stand.app.last);
    expect(retried?.entryId).toBe(first === undefined ? '' : entriesOf(first)[1]?.entryId);
    expect(await statesOf(stand, ids)).toEqual(['processed', 'processed', 'dropped']);
    const { attempts, transitions } = await stand.delivery(ids[1] ?? '');
    expect(attempts.map(({ number, bulk }) => [number, bulk?.batchSize])).toEqual([
      [1, 3],
      [2, 1],
    ]);
    expect(transitions.map(({ rule }) => rule)).toEqual([
      'policy.accepted',
      'policy.attempt',
      'bulk.2xx.retry',
      'policy.retry',
      'bulk.2xx.success',
    ]);
  });

  test('puts entries that are due at the same time into one batch, which waits for no others', async () => {
    const stand = await bulkStand();
    stand.app.next.push(500);
    await publishAll(stand, [1, 2, 3]);
    answerEach(stand, () => 'SUCCESS');
    await stand.pass(100);
    expect(batches(stand)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test.each([
    [404, 'dropped', 'bulk.404'],
    [503, 'retrying', 'bulk.other'],
    ['reset', 'retrying', 'policy.no-answer'],
    [{ body: 'ok' }, 'retrying', 'bulk.2xx.missing'],
    [200, 'retrying', 'bulk.2xx.missing'],
    [{ body: { statuses: [] } }, 'retrying', 'bulk.2xx.missing'],
  ] as const)('%j: all %s by %s', async (answer, state, rule) => {
    const stand = await bulkStand();
    stand.app.next.push(answer);
    const ids = await publishAll(stand, [1, 2, 3]);
    expect(await statesOf(stand, ids)).toEqual([state, state, state]);
    for (const id of ids) expect((await stand.delivery(id)).transitions.at(-1)?.rule).toBe(rule);
  });

  test('retries entries with unknown words and missing ones, and ignores unknown entries with a warning', async () => {
    const stand = await bulkStand();
    stand.app.answerWith = (call) => {
      const [first, second] = entriesOf(call);
      return {
        body: {
          statuses: [
            { entryId: first?.entryId, status: 'success' },
            { entryId: second?.entryId, status: '' },
            { entryId: 'nobody', status: 'SUCCESS' },
          ],
        },
      };
    };
    const ids = await publishAll(stand, [1, 2, 3]);
    const rules = await Promise.all(
      ids.map(async (id) => (await stand.delivery(id)).transitions.at(-1)?.rule),
    );
    expect(rules).toEqual(['bulk.2xx.other', 'bulk.2xx.missing', 'bulk.2xx.missing']);
    const words = await Promise.all(ids.map(async (id) => (await stand.delivery(id)).attempts[0]?.word));
    expect(words).toEqual(['success', undefined, undefined]);
    // One line for all that a batch left out; the others are there for whoever looks for one message.
    const missing = stand.lines.filter(({ text }) => text.includes('did not answer for'));
    expect(missing.map(({ level }) => level)).toEqual(['warn', 'debug']);
    expect(missing[0]?.text).toMatch(
      /^The app did not answer for 2 of the 3 entries of a batch, among them entry \S+\. The answer to a batch is \{"statuses":\[\{"entryId":"…","status":"SUCCESS"\}\]\}\.$/,
    );
    expect(missing[1]?.text).toMatch(/did not answer for entry \S+: to be retried\. The answer/);
    expect(stand.logged('warn').filter((text) => text.includes('nobody'))).toEqual([
      'The app named 1 entry not in the batch: ignored (nobody).',
    ]);
  });

  test('has one warning for the entries that it leaves out, also where the first one is held', async () => {
    const stand = await bulkStand();
    await stand.runtime.holds.add({ at: 'response', filter: '"first"' });
    stand.app.next.push(200);
    const [held] = await publishAll(stand, ['first', 2, 3]);
    const found = (): readonly (readonly string[])[] =>
      stand.lines
        .filter(({ text }) => text.includes('did not answer for'))
        .map(({ level, text }) => [level, text.replace(/ among.*| entry .*/, '')]);
    const others = [
      ['warn', 'The app did not answer for 3 of the 3 entries of a batch,'],
      ['debug', 'The app did not answer for'],
    ];
    expect(found()).toEqual(others);
    await stand.runtime.deliveryActions.release({ messageId: held ?? '' });
    await stand.settle();
    expect(found()).toEqual([...others, ['debug', 'The app did not answer for']]);
  });

  test('without any status it is a problem of the app, until a batch has one', async () => {
    const stand = await bulkStand();
    const found = (): readonly string[] =>
      stand.runtime.topology
        .apps()
        .flatMap(({ problems }) => problems.map(({ code, message }) => `${code ?? ''} ${message}`));
    stand.app.next.push({ body: { status: 'SUCCESS' } });
    await publishAll(stand, [1, 2, 3]);
    expect(found()).toEqual([
      'batch-answer The app answers batches of orders of pubsub without a status for any entry, so all of them are tried again. The answer to a batch is {"statuses":[{"entryId":"…","status":"SUCCESS"}]}.',
    ]);
    stand.app.next.push(500);
    await publishAll(stand, [4, 5, 6]);
    expect(found()).toHaveLength(1);
    stand.app.answerWith = (call) => ({
      body: { statuses: entriesOf(call).map(({ entryId }) => ({ entryId, status: 'SUCCESS' })) },
    });
    await publishAll(stand, [7, 8, 9]);
    expect(found()).toEqual([]);
  });

  test.each(['another address', 'the mock app', 'no batches', 'started anew'])(
    'the problem ends when it may be no longer so: %s',
    async (way) => {
      const mock = await openMockApp();
      onTestFinished(() => mock.close());
      const stand = await started({ mock: () => mock }, (it) => subscribe(it, BULK));
      const codes = (): readonly unknown[] =>
        stand.runtime.topology.apps().flatMap(({ problems }) => problems.map(({ code }) => code));
      stand.app.next.push(200, 'hang');
      await publishAll(stand, [1, 2, 3]);
      await publishAll(stand, [4, 5, 6]);
      expect(codes()).toEqual(['batch-answer']);
      if (way === 'another address') stand.app.url = 'http://app.test:7001';
      if (way === 'the mock app') stand.app.url = mock.url;
      if (way === 'no batches') subscribe(stand, { topic: 'orders', route: '/orders' });
      if (way !== 'the mock app') await stand.runtime.rediscovery.ask('app');
      await stand.settle();
      expect(codes()).toEqual([]);
      // A call that began before says nothing about the app of now.
      stand.app.open[0]?.answer(200);
      await stand.settle();
      expect(codes()).toEqual([]);
    },
  );

  test('over gRPC the problem names no JSON', async () => {
    const stand = await started({}, (it) => {
      it.app.protocol = 'grpc';
      it.app.subscriptions = [
        {
          pubsub_name: 'pubsub',
          topic: 'orders',
          bulk_subscribe: { enabled: true, max_messages_count: 3, max_await_duration_ms: 200 },
        },
      ];
    });
    stand.app.answerWith = () => 0;
    await publishAll(stand, [1, 2, 3]);
    expect(stand.runtime.topology.apps().flatMap(({ problems }) => problems)).toMatchObject([
      {
        code: 'batch-answer',
        message:
          'The app answers batches of orders of pubsub without a status for any entry, so all of them are tried again. The answer to a batch has a status for each entry, with its entry_id.',
      },
    ]);
  });

  test('is missing for the whole batch if its call is cancelled', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang');
    const ids = await publishAll(stand, [1, 2, 3]);
    const { deliveryId } = await stand.delivery(ids[1] ?? '');
    expect(await stand.runtime.runningCalls.cancel(deliveryId)).toEqual({ changed: 3 });
    await stand.settle();
    expect(await statesOf(stand, ids)).toEqual(['retrying', 'retrying', 'retrying']);
  });

  test('can be held, and each entry waits for its own release, changed or not', async () => {
    const stand = await bulkStand();
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    answerEach(stand, () => 'SUCCESS');
    const ids = await publishAll(stand, [1, 2, 3]);
    expect(await statesOf(stand, ids)).toEqual(['attempting', 'attempting', 'attempting']);
    await stand.runtime.deliveryActions.release({ messageId: ids[0] ?? '' });
    await stand.runtime.deliveryActions.release({ messageId: ids[1] ?? '' }, undefined, {
      kind: 'respond-bulk',
      status: 200,
      statuses: 'all-drop',
    });
    await stand.settle();
    expect(await statesOf(stand, ids)).toEqual(['processed', 'dropped', 'attempting']);
    expect(stand.logged('warn')).toEqual([expect.stringContaining('A person asked to drop entry')]);
  });
});

test('an expired entry is not sent, the others are', async () => {
  const stand = await bulkStand();
  answerEach(stand, () => 'SUCCESS');
  const first = await stand.publish('orders', 1, { metadata: { ttlInSeconds: '0' } });
  const [second = ''] = await publishAll(stand, [2]);
  await stand.pass(200);
  expect(batches(stand)).toEqual([[2]]);
  expect(await statesOf(stand, [first, second])).toEqual(['expired', 'processed']);
});

test('a held entry is not sent, the others are', async () => {
  const stand = await bulkStand();
  answerEach(stand, () => 'SUCCESS');
  const ids = await publishAll(stand, [{ n: 1 }, { n: 2 }]);
  await stand.runtime.holds.add({ at: 'delivery', filter: 'data.n:2' });
  await stand.pass(200);
  expect(await statesOf(stand, ids)).toEqual(['processed', 'held']);
  expect(batches(stand)).toEqual([[{ n: 1 }]]);
});

test('each failed entry with used-up attempts has its own copy on the dead-letter topic', async () => {
  const stand = await bulkStand({ deadLetterTopic: 'dead' });
  stand.set('delivery.retry', { maxAttempts: 1 });
  answerEach(stand, (data) => (data === 2 ? 'SUCCESS' : 'RETRY'));
  const ids = await publishAll(stand, [1, 2, 3]);
  expect(await statesOf(stand, ids)).toEqual(['dead-lettered', 'processed', 'dead-lettered']);
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  expect(items.filter(({ topic }) => topic === 'dead')).toHaveLength(2);
});
