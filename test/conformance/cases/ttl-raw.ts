/** Time to live and raw payloads. Conformance cases 35 to 42; 34 is in delivery-serial.ts. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Own, WireSubscription } from '../suite/case.ts';
import { accepted, delivered, nothingArrives, refused } from '../suite/checks.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherRequest,
  otherStatus,
  queryLost,
} from '../suite/spoiler.ts';

const raw = (own: Own): readonly WireSubscription[] => [
  own.subscription('t', { metadata: { rawPayload: 'true' } }),
];
const decoded = (value: unknown): string => Buffer.from(String(value), 'base64').toString('utf8');

export const ttlRawCases: readonly Case[] = [
  {
    id: '35a',
    title: 'expiration is now + ttl, in UTC and whole seconds',
    basis: 'R',
    rows: ['publish.metadata.ttlInSeconds', 'limits.ttlInSeconds', 'behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const before = Date.now();
      const event = await delivered(context, 'hi', { query: 'metadata.ttlInSeconds=100' });
      const after = Date.now();
      assert.match(String(event['expiration']), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
      const expires = Date.parse(String(event['expiration']));
      assert.ok(expires >= before - 1_000 + 100_000 && expires <= after + 100_000);
    },
    spoils: [queryLost, otherDelivery(/"expiration":"20/, '"expiration":"21')],
  },
  {
    id: '35b',
    title: 'no TTL, no expiration',
    basis: 'R',
    rows: ['behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      assert.ok(!('expiration' in (await delivered(context, 'hi'))));
    },
    spoils: [otherDelivery('"specversion"', '"expiration":"2100-01-01T00:00:00Z","specversion"')],
  },
  ...(['abc', '-5', '10%20'] as const).map((value, at): Case => ({
    id: `36${'abc'.charAt(at)}`,
    title: `ttlInSeconds=${value} is ignored`,
    basis: 'R',
    rows: ['behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: `metadata.ttlInSeconds=${value}` });
      assert.ok(!('expiration' in event));
    },
    spoils: [
      otherStatus(400),
      otherRequest('the TTL is 100 on the way', (request) => ({
        ...request,
        target: request.target.replace(/ttlInSeconds=.*/, 'ttlInSeconds=100'),
      })),
    ],
  })),
  ...(['500ms', '0.1s'] as const).map((value, at): Case => ({
    id: `36${'hi'.charAt(at)}`,
    title: `ttlInSeconds=${value} is refused, single and bulk, and nothing is published`,
    basis: 'Take',
    rows: ['behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const query = `metadata.ttlInSeconds=${value}`;
      const code = 'ERR_PUBSUB_REQUEST_METADATA';
      refused(await context.sidecar.publish(context.topic(), 'hi', { query }), 400, code);
      const entry = { event: 'hi', contentType: 'text/plain' };
      const entries = [
        { ...entry, entryId: 'a' },
        { ...entry, entryId: 'b', metadata: { ttlInSeconds: value } },
      ];
      refused(await context.sidecar.bulk(context.topic(), entries), 400, code);
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), queryLost, inventedDelivery],
  })),
  {
    id: '36d',
    title: 'ttlInSeconds=10s is ten seconds',
    basis: 'R',
    rows: ['behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.ttlInSeconds=10s' });
      const left = Date.parse(String(event['expiration'])) - Date.now();
      assert.ok(left <= 10_000 && left > -60_000, `expires in ${left} ms`);
    },
    spoils: [
      queryLost,
      otherRequest('s becomes m', (request) => ({
        ...request,
        target: request.target.replace('=10s', '=10m'),
      })),
    ],
  },
  ...(['0', '-5s'] as const).map((value, at): Case => ({
    id: `36${'ef'.charAt(at)}`,
    title: `ttlInSeconds=${value} expires at once: 204, not delivered`,
    basis: 'R',
    rows: ['publish.metadata.ttlInSeconds', 'limits.ttlInSeconds', 'behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const query = `metadata.ttlInSeconds=${value}`;
      accepted(await context.sidecar.publish(context.topic(), 'hi', { query }));
      await nothingArrives(context);
    },
    spoils: [otherStatus(400), queryLost],
  })),
  {
    id: '36g',
    title: 'the key ttl is read too',
    basis: 'R',
    rows: ['behaviour 2.1'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.ttl=100' });
      assert.ok(Date.parse(String(event['expiration'])) > Date.now());
    },
    spoils: [queryLost],
  },
  {
    id: '37',
    title: 'an expired message goes to the dead-letter topic, to a raw subscriber there',
    basis: 'R',
    rows: ['behaviour 2.1', 'behaviour 5.3'],
    subscriptions: (own) => [
      own.subscription('t', { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { metadata: { rawPayload: 'true' } }),
    ],
    run: async (context) => {
      const query = 'metadata.ttlInSeconds=0&metadata.cloudevent.id=x37';
      accepted(await context.sidecar.publish(context.topic(), 'dead', { query }));
      const wrapper = await context.event('dead');
      const event: unknown = JSON.parse(decoded(wrapper['data_base64']));
      assert.ok(typeof event === 'object' && event !== null && 'id' in event && 'topic' in event);
      assert.deepEqual([event.id, event.topic], ['x37', context.topic()]);
      assert.equal(context.seen().length, 0);
    },
    spoils: [lost, queryLost],
  },
  {
    id: '38',
    title: 'a raw subscriber gets a wrapper around the bytes',
    basis: 'S',
    rows: ['publish.metadata.rawPayload', 'discovery.rawPayload', 'behaviour 2.2'],
    subscriptions: raw,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.rawPayload=true' });
      assert.deepEqual(Object.keys(event).sort(), [
        'data_base64',
        'datacontenttype',
        'id',
        'pubsubname',
        'source',
        'specversion',
        'topic',
        'type',
      ]);
      assert.equal(event['data_base64'], 'aGk=');
      assert.equal(event['datacontenttype'], 'application/octet-stream');
      assert.deepEqual(
        [event['source'], event['type'], event['specversion'], event['topic'], event['pubsubname']],
        [context.names.ownEventSource, context.names.eventType, '1.0', context.topic(), context.component],
      );
      assert.equal(context.seen()[0]?.headers['content-type'], 'application/cloudevents+json');
    },
    spoils: [
      queryLost,
      otherDelivery('aGk=', 'aG8='),
      otherDelivery('"id"', '"time":"2024-01-01T00:00:00Z","id"'),
      otherDeliveryHeader('content-type', 'application/json'),
    ],
  },
  {
    id: '39',
    title: 'raw text for a normal subscriber is not delivered but dead-lettered',
    basis: 'Take',
    rows: ['behaviour 2.2', 'behaviour 5.3'],
    subscriptions: (own) => [
      own.subscription('t', { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { metadata: { rawPayload: 'true' } }),
    ],
    run: async (context) => {
      accepted(
        await context.sidecar.publish(context.topic(), 'plain text', { query: 'metadata.rawPayload=true' }),
      );
      assert.equal(decoded((await context.event('dead'))['data_base64']), 'plain text');
      await nothingArrives(context);
    },
    spoils: [otherDelivery('cGxhaW4gdGV4dA==', 'cGxhaW4='), inventedDelivery],
  },
  {
    id: '40',
    title: 'a raw JSON object reaches a normal subscriber byte for byte',
    basis: 'R',
    rows: ['behaviour 2.2'],
    subscriptions: one,
    run: async (context) => {
      const body = '{ "b" : 2,  "a" : [1.50, "<&>"] }';
      accepted(await context.sidecar.publish(context.topic(), body, { query: 'metadata.rawPayload=true' }));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.text, body);
      assert.equal(delivery.headers['content-type'], 'application/cloudevents+json');
    },
    spoils: [
      queryLost,
      otherDelivery('1.50', '1.5'),
      otherDeliveryHeader('content-type', 'application/json'),
    ],
  },
  {
    id: '41',
    title: 'a wrapped message reaches a raw subscriber inside the wrapper',
    basis: 'R',
    rows: ['behaviour 2.2', 'discovery.rawPayload'],
    subscriptions: raw,
    run: async (context) => {
      const wrapper = await delivered(context, 'hi', { query: 'metadata.cloudevent.id=x41' });
      const inner: unknown = JSON.parse(decoded(wrapper['data_base64']));
      assert.ok(typeof inner === 'object' && inner !== null && 'id' in inner && 'data' in inner);
      assert.deepEqual([inner.id, inner.data], ['x41', 'hi']);
      assert.notEqual(wrapper['id'], 'x41');
    },
    spoils: [queryLost, otherDelivery(/"id":"[^"]*"/, '"id":"x41"')],
  },
  {
    id: '42',
    title: 'a raw payload has no expiry',
    basis: 'R',
    rows: ['behaviour 2.1'],
    subscriptions: raw,
    run: async (context) => {
      const event = await delivered(context, 'hi', {
        query: 'metadata.rawPayload=true&metadata.ttlInSeconds=0',
      });
      assert.equal(event['data_base64'], 'aGk=');
    },
    spoils: [lost, queryLost],
  },
];
