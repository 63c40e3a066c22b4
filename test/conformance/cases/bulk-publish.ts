/** Bulk publish. Conformance cases 43 to 60; 54 and 55 need other components. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { BulkPublishEntry, Case } from '../suite/case.ts';
import { accepted, listOf, nothingArrives, objectOf, staysAt } from '../suite/checks.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherRequest,
  otherStatus,
  otherText,
  queryLost,
  twice,
} from '../suite/spoiler.ts';

const TEXT = 'text/plain';
const text = (entryId: string, event = entryId): BulkPublishEntry => ({ entryId, event, contentType: TEXT });

export const bulkPublishCases: readonly Case[] = [
  {
    id: '43',
    title: 'a text and a JSON entry: 204, two deliveries',
    basis: 'S',
    rows: [
      'bulk-publish.route',
      'versions.alpha',
      'bulk-publish.204',
      'bulk-publish.entry.event',
      'bulk-publish.entry.contentType',
    ],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), [
        text('1', 'hi'),
        { entryId: '2', event: { n: 1 }, contentType: 'application/json' },
      ]);
      accepted(answer);
      const events = (await staysAt(context, 2)).map((delivery) => delivery.json());
      const byType = new Map(events.map((event) => [event['datacontenttype'], event['data']]));
      assert.deepEqual(
        byType,
        new Map<unknown, unknown>([
          [TEXT, 'hi'],
          ['application/json', { n: 1 }],
        ]),
      );
      assert.equal(new Set(events.map((event) => event['id'])).size, 2);
    },
    spoils: [otherStatus(200), otherDelivery('"hi"', '"ho"'), twice],
  },
  {
    id: '47',
    title: 'the spelling entryID is accepted',
    basis: 'R',
    rows: ['behaviour 3.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.bulk(context.topic(), [
          { entryID: '1', event: 'hi', contentType: TEXT, metadata: {} },
        ]),
      );
      assert.equal((await context.event())['data'], 'hi');
    },
    spoils: [otherStatus(400), otherDelivery('"hi"', '"ho"')],
  },
  ...(['[]', 'null'] as const).map((body, at): Case => ({
    id: `49${'ab'.charAt(at)}`,
    title: `${body} is 204 and publishes nothing`,
    basis: 'R',
    rows: ['behaviour 3.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.bulk(context.topic(), body));
      await nothingArrives(context);
    },
    spoils: [otherStatus(400), inventedDelivery],
  })),
  {
    id: '51a',
    title: 'base64 under application/octet-stream becomes data_base64',
    basis: 'R',
    rows: ['behaviour 3.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.bulk(context.topic(), [
          { entryId: '1', event: 'AP8=', contentType: 'application/octet-stream' },
        ]),
      );
      const event = await context.event();
      assert.equal(event['data_base64'], 'AP8=');
      assert.ok(!('data' in event));
    },
    spoils: [otherDelivery('AP8=', 'AP9=')],
  },
  {
    id: '51c',
    title: 'numbers of any length keep their digits',
    basis: 'Take',
    rows: ['behaviour 3.1'],
    subscriptions: one,
    run: async (context) => {
      const body = '[{"entryId":"1","event":{"n":12345678901234567890},"contentType":"application/json"}]';
      accepted(await context.sidecar.bulk(context.topic(), body));
      const [delivery] = await context.arrive();
      assert.ok(delivery?.text.includes('12345678901234567890'), delivery?.text);
    },
    spoils: [otherDelivery('12345678901234567890', '12345678901234567000')],
  },
  {
    id: '52a',
    title: 'an own event among the entries is not wrapped again',
    basis: 'S',
    rows: ['bulk-publish.entry.contentType'],
    subscriptions: one,
    run: async (context) => {
      const event = {
        id: 'own-1',
        source: '/s',
        type: 't',
        specversion: '1.0',
        data: { n: 1 },
        tenant: 'blue',
      };
      accepted(
        await context.sidecar.bulk(context.topic(), [
          { entryId: '1', event, contentType: 'application/cloudevents+json' },
        ]),
      );
      const got = await context.event();
      for (const [name, value] of Object.entries(event)) assert.deepEqual(got[name], value, name);
    },
    spoils: [otherDelivery('"own-1"', '"own-2"'), otherDelivery('"blue"', '"red"')],
  },
  {
    id: '53c',
    title: 'another Content-Type of the request is taken all the same',
    basis: 'R',
    rows: ['bulk-publish.header', 'behaviour 3'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.bulk(context.topic(), [text('a', 'hi')], { contentType: TEXT }));
      assert.equal((await context.event())['data'], 'hi');
    },
    spoils: [otherStatus(415), otherDelivery('"hi"', '"ho"')],
  },
  {
    id: '56',
    title: 'rawPayload=true wraps no entry',
    basis: 'S',
    rows: ['bulk-publish.metadata.rawPayload', 'bulk-publish.entry.contentType'],
    subscriptions: one,
    run: async (context) => {
      const entries = [1, 2].map((n) => ({ entryId: `${n}`, event: { n }, contentType: 'application/json' }));
      accepted(await context.sidecar.bulk(context.topic(), entries, { query: 'metadata.rawPayload=true' }));
      const bodies = (await context.arrive(2)).map((delivery) => delivery.text).sort();
      assert.deepEqual(bodies, ['{"n":1}', '{"n":2}']);
    },
    spoils: [queryLost],
  },
  {
    id: '57',
    title: "an entry's TTL beats the query's, which holds for entries without metadata",
    basis: 'Take',
    rows: ['behaviour 3.2', 'publish.metadata.ttlInSeconds', 'limits.ttlInSeconds'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.bulk(
          context.topic(),
          [{ ...text('a', 'long'), metadata: { ttlInSeconds: '5000' } }, text('b', 'short')],
          { query: 'metadata.ttlInSeconds=100' },
        ),
      );
      const events = (await context.arrive(2)).map((delivery) => delivery.json());
      const left = new Map(
        events.map((event) => [event['data'], Date.parse(String(event['expiration'])) - Date.now()]),
      );
      assert.ok((left.get('long') ?? 0) > 1_000_000);
      assert.ok((left.get('short') ?? Number.NaN) <= 100_000);
    },
    spoils: [
      queryLost,
      otherRequest("the entry's metadata is lost", (request) => ({
        ...request,
        body: Buffer.from(request.body.toString().replace('"metadata"', '"other"')),
      })),
    ],
  },
  {
    id: '58',
    title: '250 entries: all delivered',
    basis: 'R',
    rows: ['behaviour 3.3'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.bulk(
          context.topic(),
          Array.from({ length: 250 }, (_, n) => text(`n${n}`)),
        ),
      );
      const data = (await context.arrive(250)).map((delivery) => delivery.json()['data']);
      assert.equal(new Set(data).size, 250);
    },
    spoils: [otherDelivery('"n7"', '"n8"'), otherStatus(500)],
  },
  {
    id: '59a',
    title: 'maxBulkPubBytes smaller than the entries fails them all',
    basis: 'Take',
    rows: ['bulk-publish.metadata.maxBulkPubBytes', 'limits.maxBulkPubBytes'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), [text('a', 'x'.repeat(50)), text('b')], {
        query: 'metadata.maxBulkPubBytes=20',
      });
      assert.equal(answer.status, 500);
      const failed = listOf(objectOf(answer.json())['failedEntries']).map((entry) => objectOf(entry));
      assert.deepEqual(failed.map((entry) => String(entry['entryId'])).toSorted(), ['a', 'b']);
      assert.ok(failed.every((entry) => String(entry['error']).includes('20')));
      await nothingArrives(context);
    },
    spoils: [queryLost, otherText('"entryId":"b"', '"entryId":"a"')],
  },
  ...(['abc', '0', '-1', '1000000'] as const).map((value, at): Case => ({
    id: `59${'bcde'.charAt(at)}`,
    title: `maxBulkPubBytes=${value} is no obstacle`,
    basis: 'Take',
    rows: ['bulk-publish.metadata.maxBulkPubBytes', 'limits.maxBulkPubBytes'],
    subscriptions: one,
    run: async (context) => {
      const query = `metadata.maxBulkPubBytes=${value}`;
      accepted(await context.sidecar.bulk(context.topic(), [text('a'), text('b')], { query }));
      await context.arrive(2);
    },
    spoils: [
      otherRequest('the limit is 1 on the way', (request) => ({
        ...request,
        target: request.target.replace(/Bytes=.*/, 'Bytes=1'),
      })),
      lost,
    ],
  })),
  {
    id: '60',
    title: 'PUT publishes as POST does',
    basis: 'R',
    rows: ['behaviour 3'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.bulk(context.topic(), [text('a', 'hi')], { method: 'PUT' }));
      assert.equal((await context.event())['data'], 'hi');
    },
    spoils: [otherStatus(404), otherDelivery('"hi"', '"ho"')],
  },
];
