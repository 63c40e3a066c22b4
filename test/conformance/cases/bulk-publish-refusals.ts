/** Bulk publishes that are refused as a whole. Conformance cases 44 to 53. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { BulkPublishEntry, Case } from '../suite/case.ts';
import { accepted, checkDetails, listOf, nothingArrives, objectOf, refused } from '../suite/checks.ts';
import { inventedDelivery, otherDelivery, otherStatus, otherText } from '../suite/spoiler.ts';

const TEXT = 'text/plain';
const text = (entryId: string, event = entryId): BulkPublishEntry => ({ entryId, event, contentType: TEXT });

/** Bodies that reject the whole request, by case. */
const REJECTED: readonly (readonly [
  id: string,
  basis: 'S' | 'R',
  row: string,
  title: string,
  body: readonly BulkPublishEntry[] | string,
])[] = [
  ['44', 'S', 'bulk-publish.entry.entryId', 'a repeated entryId', [text('a'), text('b'), text('a')]],
  [
    '45a',
    'S',
    'bulk-publish.entry.entryId',
    'a missing entryId',
    [text('a'), { event: 'x', contentType: TEXT }],
  ],
  ['45b', 'S', 'bulk-publish.entry.entryId', 'an empty entryId', [text('a'), text('', 'x')]],
  [
    '46a',
    'S',
    'bulk-publish.entry.contentType',
    'a missing contentType',
    [text('a'), { entryId: 'b', event: 'x' }],
  ],
  [
    '46b',
    'S',
    'bulk-publish.entry.contentType',
    'an empty contentType',
    [text('a'), { entryId: 'b', event: 'x', contentType: '' }],
  ],
  [
    '46c',
    'S',
    'bulk-publish.entry.event',
    'a missing event',
    [text('a'), { entryId: 'b', contentType: 'application/json' }],
  ],
  ['48a', 'R', 'behaviour 3.1', 'an object', '{}'],
  ['48b', 'R', 'behaviour 3.1', 'no JSON', 'not json'],
  ['48c', 'R', 'behaviour 3.1', 'an empty body', ''],
  [
    '48d',
    'R',
    'behaviour 3.1',
    'a trailing comma',
    '[{"entryId":"a","event":"x","contentType":"text/plain"},]',
  ],
  [
    '48e',
    'R',
    'behaviour 3.1',
    'an entryId that is a number',
    '[{"entryId":1,"event":"x","contentType":"text/plain"}]',
  ],
  [
    '48f',
    'R',
    'behaviour 3.1',
    'entry metadata that is no string',
    [{ ...text('a'), metadata: { ttlInSeconds: 5 } }],
  ],
  [
    '50',
    'R',
    'behaviour 3.1',
    'an object under text/plain',
    [text('a'), { entryId: 'b', event: { n: 1 }, contentType: TEXT }],
  ],
  [
    '50b',
    'R',
    'behaviour 3.1',
    'a kind of content that bulk publish does not know',
    [text('a'), { entryId: 'b', event: 'x', contentType: 'image/png' }],
  ],
  [
    '51b',
    'R',
    'behaviour 3.1',
    'bad base64 under application/octet-stream',
    [text('a'), { entryId: 'b', event: '%%%', contentType: 'application/octet-stream' }],
  ],
];

const rejected: readonly Case[] = REJECTED.map(([id, basis, row, title, body]) => ({
  id,
  title: `${title}: 400, nothing is published`,
  basis,
  rows: [row],
  subscriptions: one,
  run: async (context) => {
    refused(await context.sidecar.bulk(context.topic(), body), 400, 'ERR_PUBSUB_EVENTS_SER');
    await nothingArrives(context);
  },
  spoils: [otherStatus(204), otherStatus(500), otherText('EVENTS_SER', 'OTHER'), inventedDelivery],
}));

export const bulkPublishRefusalCases: readonly Case[] = [
  ...rejected,
  {
    id: '44b',
    title: 'the message of a repeated entryId, with its details',
    basis: 'R',
    rows: ['behaviour 3.1'],
    run: async (context) => {
      const body = refused(
        await context.sidecar.bulk(context.topic(), [text('a'), text('a')]),
        400,
        'ERR_PUBSUB_EVENTS_SER',
      );
      const start = `error marshaling events to bytes for topic ${context.topic()} pubsub ${context.component}`;
      const reason = 'entryId is duplicated or not present for entry';
      assert.equal(body['message'], `${start}. error: ${reason}`);
      checkDetails(context, body, 'MARSHAL_EVENTS', { appID: context.appId, error: reason });
      const { isNewer } = context.names;
      const resource = objectOf(listOf(body['details'])[isNewer ? 0 : 1]);
      assert.equal(resource['description'], isNewer ? body['message'] : start);
    },
    spoils: [otherText('is duplicated', 'is double'), otherText('MARSHAL_EVENTS', 'X')],
  },
  {
    id: '46d',
    title: 'a missing event is named with its entry; null is an event',
    basis: 'Take',
    rows: ['bulk-publish.entry.event'],
    subscriptions: one,
    run: async (context) => {
      const json = { entryId: 'b', contentType: 'application/json' };
      const answer = await context.sidecar.bulk(context.topic(), [text('a'), json]);
      const body = refused(answer, 400, 'ERR_PUBSUB_EVENTS_SER');
      assert.match(String(body['message']), /event of entry 2 \(entryId "b"\) is missing$/);
      accepted(await context.sidecar.bulk(context.topic(), [{ ...json, event: null }]));
      assert.equal((await context.event())['data'], null);
    },
    spoils: [otherText('entry 2', 'entry 1'), otherStatus(400), otherDelivery('null', '"null"')],
  },
  {
    id: '52b',
    title: 'an own event that is no object fails every entry; nothing is published',
    basis: 'S',
    rows: [
      'bulk-publish.500',
      'bulk-publish.report.failedEntries',
      'bulk-publish.report.entryId',
      'bulk-publish.report.error',
      'bulk-publish.report.errorCode',
    ],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), [
        text('a'),
        { entryId: 'b', event: [1], contentType: 'application/cloudevents+json' },
      ]);
      const body = objectOf(answer.json());
      assert.equal(answer.status, 500);
      assert.equal(body['errorCode'], 'ERR_PUBSUB_PUBLISH_MESSAGE');
      const failed = new Map(
        listOf(body['failedEntries']).map((entry) => [objectOf(entry)['entryId'], objectOf(entry)['error']]),
      );
      assert.deepEqual(
        failed,
        new Map([
          ['a', 'not published: entry b was refused'],
          ['b', 'cannot create cloudevent'],
        ]),
      );
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), otherText('"entryId":"a"', '"entryId":"c"'), inventedDelivery],
  },
  {
    id: '53',
    title: 'an unknown component is 400',
    basis: 'S',
    rows: ['bulk-publish.400'],
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), [text('a')], { component: 'nope' });
      const body = refused(answer, 400, 'ERR_PUBSUB_NOT_FOUND');
      assert.equal(body['message'], "pubsub 'nope' not found");
    },
    spoils: [otherStatus(404), otherText('not found', 'gone')],
  },
  {
    id: '53b',
    title: 'no topic in the path is 404',
    basis: 'Take',
    rows: ['behaviour 1.1'],
    run: async (context) => {
      const target = `/v1.0-alpha1/publish/bulk/${context.component}`;
      const code = context.names.isNewer ? 'ERR_TOPIC_NAME_EMPTY' : 'ERR_TOPIC_EMPTY';
      refused(await context.sidecar.send(target, { method: 'POST', body: '[]' }), 404, code);
    },
    spoils: [otherStatus(204)],
  },
];
