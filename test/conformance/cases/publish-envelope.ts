/** The envelope and its overrides, trace context, events of the caller's own. Conformance cases 14 to 22. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, delivered, nothingArrives, refused } from '../suite/checks.ts';
import type { Json } from '../suite/checks.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherRequest,
  otherStatus,
  otherText,
  queryLost,
} from '../suite/spoiler.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const OWN = 'application/cloudevents+json';

const COMPLETE: Json = {
  id: 'order-1',
  source: '/shop',
  type: 'order.made',
  specversion: '1.0',
  datacontenttype: 'application/json',
  data: { n: 1, deep: { list: [1, 2] } },
  time: '2024-05-01T10:00:00Z',
  subject: 'orders/1',
  tenant: 'blue',
};

const own = async (context: Context, event: Json): Promise<Json> =>
  delivered(context, JSON.stringify(event), { contentType: OWN });

export const publishEnvelopeCases: readonly Case[] = [
  {
    id: '14a',
    title: 'the envelope has exactly its attributes, with the defaults',
    basis: 'S',
    rows: ['publish.envelope', 'behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { contentType: 'text/plain' });
      assert.deepEqual(
        Object.keys(event).sort(),
        'data datacontenttype id pubsubname source specversion time topic traceid traceparent tracestate type'.split(
          ' ',
        ),
      );
      assert.match(String(event['id']), UUID);
      assert.match(String(event['time']), RFC3339);
      assert.ok(!Number.isNaN(Date.parse(String(event['time']))));
      assert.deepEqual(
        [event['specversion'], event['type'], event['source'], event['topic'], event['pubsubname']],
        ['1.0', context.names.eventType, context.appId, context.topic(), context.component],
      );
    },
    spoils: [
      otherDelivery('"specversion":"1.0"', '"specversion":"0.3"'),
      otherDelivery('"id":"', '"id":"x'),
      otherDelivery('"topic":"', '"extra":1,"topic":"'),
      otherDelivery('"source":"', '"source":"x'),
    ],
  },
  {
    id: '14b',
    title: 'the id is unique over 1,000 publishes',
    basis: 'R',
    rows: ['behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, async (_, n) => context.sidecar.publish(context.topic(), String(n))),
      );
      assert.deepEqual(
        answers.filter((answer) => answer.status !== 204),
        [],
      );
      const events = await context.arrive(1_000);
      const ids = events.map((delivery) => delivery.json()['id']);
      assert.ok(ids.every((id) => typeof id === 'string' && id !== ''));
      const byData = new Map(events.map((delivery) => [delivery.json()['data'], delivery.json()['id']]));
      assert.equal(byData.size, 1_000);
      assert.equal(new Set(byData.values()).size, 1_000);
    },
    spoils: [otherDelivery(/"id":"[^"]*"/, '"id":"the-same"')],
  },
  {
    id: '15',
    title: 'metadata.cloudevent.* sets id, type and source',
    basis: 'R',
    rows: ['behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const query = 'metadata.cloudevent.id=x1&metadata.cloudevent.type=my.t&metadata.cloudevent.source=s1';
      const event = await delivered(context, 'hi', { query });
      assert.deepEqual([event['id'], event['type'], event['source']], ['x1', 'my.t', 's1']);
    },
    spoils: [queryLost, otherDelivery('"my.t"', '"t"')],
  },
  {
    id: '16a',
    title: 'override keys match in any letter case',
    basis: 'R',
    rows: ['behaviour 1.3'],
    profiles: ['dapr', 'dapr-1.18'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.CloudEvent.ID=x2' });
      assert.equal(event['id'], 'x2');
    },
    spoils: [queryLost],
  },
  {
    id: '16b',
    title: 'override keys are case-sensitive, as every URL parameter is',
    basis: 'S',
    rows: ['publish.case'],
    profiles: ['sidecar'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.CloudEvent.ID=x2' });
      assert.notEqual(event['id'], 'x2');
    },
    spoils: [otherDelivery(/"id":"[^"]*"/, '"id":"x2"')],
  },
  {
    id: '17',
    title: 'an unknown override is ignored',
    basis: 'R',
    rows: ['behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.cloudevent.topic=zzz' });
      assert.equal(event['topic'], context.topic());
    },
    spoils: [otherDelivery(/"topic":"[^"]*"/, '"topic":"zzz"')],
  },
  {
    id: '17b',
    title: 'only parameters that start with metadata. are metadata; the last of a repeated one counts',
    basis: 'S',
    rows: ['publish.metadata.prefix', 'behaviour 1.1'],
    subscriptions: one,
    run: async (context) => {
      const query =
        'cloudevent.id=no&Metadata.cloudevent.id=no&metadata.cloudevent.id=a&metadata.cloudevent.id=b%2Bc';
      const event = await delivered(context, 'hi', { query });
      assert.equal(event['id'], 'b+c');
    },
    spoils: [queryLost, otherDelivery('"b+c"', '"a"')],
  },
  {
    id: '18a',
    title: 'an incoming traceparent keeps its trace id, in the envelope and in the delivery',
    basis: 'R',
    rows: ['behaviour 1.3', 'behaviour 5.1'],
    subscriptions: one,
    run: async (context) => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const event = await delivered(context, 'hi', {
        headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'shop=1' },
      });
      assert.equal(TRACEPARENT.exec(String(event['traceparent']))?.[1], traceId);
      assert.equal(event['traceid'], event['traceparent']);
      assert.equal(event['tracestate'], 'shop=1');
      const header = context.seen()[0]?.headers['traceparent'];
      assert.equal(TRACEPARENT.exec(String(header))?.[1], traceId);
    },
    spoils: [
      otherDelivery('"traceparent":"00-4bf', '"traceparent":"00-5bf'),
      otherDelivery('shop=1', 'shop=2'),
      otherDeliveryHeader('traceparent', undefined),
    ],
  },
  {
    id: '18b',
    title: 'without one, a valid trace context of its own is made',
    basis: 'Take',
    rows: ['behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi');
      const [, traceId, spanId] = TRACEPARENT.exec(String(event['traceparent'])) ?? [];
      assert.match(traceId ?? '', /[1-9a-f]/);
      assert.match(spanId ?? '', /[1-9a-f]/);
      assert.equal(event['tracestate'], '');
    },
    spoils: [otherDelivery(/"traceparent":"00-[0-9a-f]{32}/, `"traceparent":"00-${'0'.repeat(32)}`)],
  },
  {
    id: '19',
    title: "a caller's own event keeps what it has and is not wrapped again",
    basis: 'S',
    rows: ['publish.content-type.own'],
    subscriptions: one,
    run: async (context) => {
      const event = await own(context, COMPLETE);
      for (const [name, value] of Object.entries(COMPLETE)) assert.deepEqual(event[name], value, name);
      assert.equal(event['topic'], context.topic());
      assert.equal(event['pubsubname'], context.component);
    },
    spoils: [
      otherDelivery('"order-1"', '"order-2"'),
      otherDelivery('"blue"', '"red"'),
      otherDelivery('"data":', '"data":{"nested":true},"was":'),
    ],
  },
  {
    id: '20',
    title: 'missing source, type, specversion and time are filled; a missing id stays missing',
    basis: 'R',
    rows: ['behaviour 1.5'],
    subscriptions: one,
    run: async (context) => {
      const event = await own(context, { data: 1 });
      assert.deepEqual(
        [event['source'], event['type'], event['specversion']],
        [context.names.ownEventSource, context.names.eventType, '1.0'],
      );
      assert.match(String(event['time']), RFC3339);
      assert.ok(!('id' in event));
      assert.ok(!('datacontenttype' in event));
    },
    spoils: [
      otherDelivery('"specversion"', '"id":"1","specversion"'),
      otherDelivery(/"time":"[^"]*"/, '"t":1'),
    ],
  },
  {
    id: '21',
    title: "an own event's topic is overwritten by the URL's",
    basis: 'R',
    rows: ['behaviour 1.5'],
    subscriptions: one,
    run: async (context) => {
      const event = await own(context, { ...COMPLETE, topic: 'evil', pubsubname: 'evil' });
      assert.deepEqual([event['topic'], event['pubsubname']], [context.topic(), context.component]);
    },
    spoils: [otherDelivery(/"topic":"[^"]*"/, '"topic":"evil"')],
  },
  ...['[1]', '', '{"', 'null'].map((body, at): Case => ({
    id: `22${'abcd'.charAt(at)}`,
    title: `an own event ${JSON.stringify(body)} is refused and not delivered`,
    basis: 'R',
    rows: ['behaviour 1.5', 'publish.500'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), body, { contentType: OWN });
      refused(answer, 500, 'ERR_PUBSUB_CLOUD_EVENTS_SER');
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), otherText('CLOUD_EVENTS_SER', 'OTHER'), inventedDelivery],
  })),
  {
    id: '21b',
    title: 'TTL applies to an own event too',
    basis: 'R',
    rows: ['behaviour 1.5', 'publish.metadata.ttlInSeconds', 'limits.ttlInSeconds'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.publish(context.topic(), JSON.stringify(COMPLETE), {
          contentType: OWN,
          query: 'metadata.ttlInSeconds=100',
        }),
      );
      const event = await context.event();
      assert.ok(Date.parse(String(event['expiration'])) > Date.now());
    },
    spoils: [
      queryLost,
      lost,
      otherRequest('the body loses its end', (r) => ({ ...r, body: r.body.subarray(1) })),
    ],
  },
];
