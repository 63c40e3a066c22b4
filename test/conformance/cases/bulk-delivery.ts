/** Bulk delivery: body and batches. Conformance cases 97 to 99 and 105 to 107. */
import assert from 'node:assert/strict';
import { LIMITS, batches, bulk, publishAll, untilCame } from '../suite/batches.ts';
import type { Case } from '../suite/case.ts';
import { accepted, entriesIn, objectOf } from '../suite/checks.ts';
import type { Json } from '../suite/checks.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherPath,
  queryLost,
  twice,
} from '../suite/spoiler.ts';

const bodyCase: Case = {
  id: '97',
  title: 'the body of a bulk delivery',
  basis: 'R',
  rows: ['discovery.bulkSubscribe', 'delivery.bulk', 'behaviour 6.1'],
  subscriptions: bulk,
  run: async (context) => {
    await publishAll(context, ['a', 'b', 'c']);
    const [delivery] = await untilCame(context, 3);
    assert.ok(delivery !== undefined);
    assert.equal(delivery.method, 'POST');
    assert.equal(delivery.headers['content-type'], 'application/json');
    assert.equal(delivery.headers['pubsubname'], context.component);
    const body = delivery.json();
    assert.deepEqual(Object.keys(body).sort(), ['entries', 'id', 'metadata', 'pubsubname', 'topic', 'type']);
    assert.deepEqual(
      [body['pubsubname'], body['topic'], body['type']],
      [context.component, context.topic(), context.names.bulkEventType],
    );
    assert.equal(objectOf(body['metadata'])['pubsubName'], context.component);
    const entries = entriesIn(delivery);
    for (const entry of entries) {
      assert.deepEqual(Object.keys(entry).sort(), ['contentType', 'entryId', 'event', 'metadata']);
      assert.equal(entry['contentType'], 'application/cloudevents+json');
      const event: Json = objectOf(entry['event']);
      assert.deepEqual([event['specversion'], event['topic']], ['1.0', context.topic()]);
    }
    assert.equal(new Set(entries.map((entry) => entry['entryId'])).size, entries.length);
  },
  spoils: [
    otherDelivery('.sent.bulk"', '.sent"'),
    otherDelivery('"contentType"', '"content_type"'),
    otherDeliveryHeader('pubsubname', undefined),
  ],
};

export const bulkDeliveryCases: readonly Case[] = [
  bodyCase,
  {
    id: '98a',
    title: 'maxMessagesCount 3: seven messages come as 3, 3 and 1',
    basis: 'S',
    rows: ['limits.maxMessagesCount'],
    subscriptions: bulk,
    run: async (context) => {
      await publishAll(context, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
      await untilCame(context, 7);
      assert.deepEqual(
        batches(context)
          .map((batch) => batch.length)
          .toSorted((a, b) => b - a),
        [3, 3, 1],
      );
      assert.equal(new Set(batches(context).flat()).size, 7);
    },
    spoils: [twice, otherDelivery('"data":"a"', '"data":"b"')],
  },
  {
    id: '98b',
    title: 'maxAwaitDurationMs 100: a lone message does not wait for others',
    basis: 'S',
    rows: ['limits.maxAwaitDurationMs'],
    subscriptions: (own) => [own.bulk('t', { maxMessagesCount: 100, maxAwaitDurationMs: 100 })],
    run: async (context) => {
      await publishAll(context, ['a']);
      await untilCame(context, 1);
      assert.deepEqual(batches(context), [['a']]);
    },
    spoils: [lost],
  },
  {
    id: '99a',
    title: 'no limits given: batches of at most 100',
    basis: 'R',
    rows: ['behaviour 6.2'],
    subscriptions: (own) => [own.bulk('t', {})],
    run: async (context) => {
      await publishAll(
        context,
        Array.from({ length: 120 }, (_, n) => `n${n}`),
      );
      await untilCame(context, 120);
      assert.deepEqual(
        batches(context)
          .map((batch) => batch.length)
          .toSorted((a, b) => b - a),
        [100, 20],
      );
    },
    spoils: [twice],
  },
  ...([null, { enabled: false }, undefined] as const).map((value, at): Case => ({
    id: `99${'bcd'.charAt(at)}`,
    title: `bulkSubscribe ${JSON.stringify(value) ?? 'absent'}: single delivery`,
    basis: 'S',
    rows: ['discovery.bulkSubscribe'],
    subscriptions: (own) => [own.subscription('t', { bulkSubscribe: value })],
    run: async (context) => {
      await publishAll(context, ['a', 'b']);
      const seen = await context.arrive(2);
      assert.ok(seen.every((one) => one.headers['content-type'] === 'application/cloudevents+json'));
    },
    spoils: [otherDeliveryHeader('content-type', 'application/json')],
  })),
  {
    id: '99e',
    title: 'bulkSubscribe without enabled: the object is the opt-in',
    basis: 'S',
    rows: ['discovery.bulkSubscribe'],
    profiles: ['sidecar'],
    subscriptions: (own) => [own.subscription('t', { bulkSubscribe: { maxAwaitDurationMs: 50 } })],
    run: async (context) => {
      await publishAll(context, ['a']);
      await untilCame(context, 1);
    },
    spoils: [lost],
  },
  {
    id: '99f',
    title: 'bulkSubscribe without enabled: single delivery',
    basis: 'R',
    rows: ['behaviour 4.2'],
    profiles: ['dapr', 'dapr-1.18'],
    subscriptions: (own) => [own.subscription('t', { bulkSubscribe: { maxAwaitDurationMs: 50 } })],
    run: async (context) => {
      await publishAll(context, ['a']);
      const [delivery] = await context.arrive();
      assert.equal(delivery?.headers['content-type'], 'application/cloudevents+json');
    },
    spoils: [otherDeliveryHeader('content-type', 'application/json')],
  },
  {
    id: '105',
    title: 'a raw bulk subscription: base64 without an envelope',
    basis: 'R',
    rows: ['behaviour 6.1'],
    subscriptions: (own) => [own.bulk('t', LIMITS, { metadata: { rawPayload: 'true' } })],
    run: async (context) => {
      const query = 'metadata.rawPayload=true';
      accepted(await context.sidecar.publish(context.topic(), 'hello', { query }));
      const [delivery] = await context.arrive();
      const [entry] = entriesIn(delivery ?? assert.fail());
      assert.deepEqual([entry?.['event'], entry?.['contentType']], ['aGVsbG8=', 'application/octet-stream']);
    },
    spoils: [queryLost, otherDelivery('octet-stream', 'json')],
  },
  {
    id: '106',
    title: 'entries of two rules: one POST per path',
    basis: 'R',
    rows: ['behaviour 6.2'],
    subscriptions: (own) => [
      own.bulk('t', LIMITS, {
        routes: {
          rules: [{ match: 'event.data == "a"', path: own.path('a') }],
          default: own.path('def'),
        },
      }),
    ],
    run: async (context) => {
      await publishAll(context, ['a', 'b', 'c']);
      await untilCame(context, 1, 'a');
      await untilCame(context, 2, 'def');
      assert.deepEqual(batches(context, 'a'), [['a']]);
      assert.deepEqual(batches(context, 'def').flat().map(String).toSorted(), ['b', 'c']);
    },
    spoils: [otherPath, otherDelivery('"data":"a"', '"data":"b"')],
  },
  {
    id: '107',
    title: 'an expired entry is not sent, the others are',
    basis: 'R',
    rows: ['behaviour 6.2', 'publish.metadata.ttlInSeconds', 'limits.ttlInSeconds'],
    subscriptions: bulk,
    run: async (context) => {
      const entry = (event: string, metadata: Json): Json => ({
        entryId: event,
        event,
        contentType: 'text/plain',
        metadata,
      });
      accepted(
        await context.sidecar.bulk(context.topic(), [
          entry('a', {}),
          entry('old', { ttlInSeconds: '0' }),
          entry('b', {}),
        ]),
      );
      await untilCame(context, 2);
      await context.fence();
      assert.deepEqual(batches(context).flat().map(String).toSorted(), ['a', 'b']);
    },
    spoils: [inventedDelivery, otherDelivery('"data":"b"', '"data":"old"')],
  },
];
