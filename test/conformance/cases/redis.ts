/** On a Redis server: what is handed on with a message, policies, addresses, trimming, TLS. Cases V24, V37 to V42, V47, V54, V59 to V61. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context, Own, WireSubscription } from '../suite/case.ts';
import { accepted, delivered, nothingArrives, refused } from '../suite/checks.ts';
import { deliveryOf, rulesOf, untilState } from '../suite/console-checks.ts';
import { ready } from '../suite/discovery.ts';
import {
  heardSuccess,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherStatus,
  otherText,
  queryLost,
  twice,
} from '../suite/spoiler.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TP = `00-${TRACE}-b7ad6b7169203331-01`;
const OCTETS = 'application/octet-stream';
const BYTES = Uint8Array.of(1, 255);

const query = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `metadata.${key}=${encodeURIComponent(value)}`)
    .join('&');

/** Attributes beside the bytes of an event in binary mode. */
const BINARY = {
  rawPayload: 'true',
  'content-type': OCTETS,
  ce_specversion: '1.0',
  ce_id: '7',
  CE_Type: 't',
};

const publishBinary = async (context: Context, metadata: Readonly<Record<string, string>>): Promise<void> => {
  const options = { contentType: OCTETS, query: query(metadata) };
  accepted(await context.sidecar.publish(context.topic(), BYTES, options));
};

const byType = (own: Own): readonly WireSubscription[] => [
  own.subscription('t', {
    routes: {
      rules: [{ match: 'event.type == "t"', path: own.path() }],
      default: own.path('other'),
    },
    deadLetterTopic: own.topic('dead'),
  }),
  own.subscription('dead', { metadata: { rawPayload: 'true' } }),
];

export const redisCases: readonly Case[] = [
  {
    id: 'V37',
    title: 'a raw subscription: the wrapper says the trace that came beside the bytes',
    basis: 'R',
    rows: ['release.delivery-trace'],
    subscriptions: (own) => [own.subscription('t', { metadata: { rawPayload: 'true' } })],
    run: async (context) => {
      const event = await delivered(context, 'x', { query: query({ rawPayload: 'true', traceparent: TP }) });
      assert.deepEqual([event['traceid'], event['traceparent']], [TP, TP]);
    },
    spoils: [
      otherDelivery(/"traceid":"[^"]*"/, '"traceid":""'),
      otherDelivery(/"traceparent":"[^"]*"/, '"traceparent":""'),
    ],
  },
  {
    id: 'V38',
    title: 'an event without a trace: the header carries the one beside it, the bytes stay',
    basis: 'R',
    rows: ['release.delivery-trace'],
    subscriptions: one,
    run: async (context) => {
      const options = { query: query({ rawPayload: 'true', traceparent: TP }) };
      accepted(await context.sidecar.publish(context.topic(), '{"type":"x"}', options));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.text, '{"type":"x"}');
      assert.ok(String(delivery.headers['traceparent']).includes(TRACE));
    },
    spoils: [otherDeliveryHeader('traceparent', undefined), otherDelivery('"x"', '"y"')],
  },
  {
    id: 'V39',
    title: 'binary mode: rules see the attributes of the metadata, the app gets the bytes',
    basis: 'R',
    rows: ['release.binary-mode'],
    subscriptions: byType,
    run: async (context) => {
      await publishBinary(context, BINARY);
      const [delivery] = await context.arrive();
      assert.deepEqual([...(delivery?.body ?? [])], [...BYTES]);
      assert.equal(delivery?.headers['content-type'], 'application/cloudevents+json');
      assert.equal(delivery.headers['ce_id'], '7');
    },
    spoils: [lost, otherDeliveryHeader('ce_id', undefined), otherDeliveryHeader('content-type', OCTETS)],
  },
  {
    id: 'V40',
    title: 'binary mode: an expiry among the attributes that has passed: the app is not called',
    basis: 'R',
    rows: ['release.binary-mode'],
    subscriptions: (own) => [own.subscription('t')],
    run: async (context) => {
      await publishBinary(context, { ...BINARY, ce_expiration: '1999-01-01T00:00:00Z' });
      await nothingArrives(context);
    },
    spoils: [
      queryLost,
      { name: 'it arrives all the same', invented: (request) => inventedAt(request.target) },
    ],
  },
  {
    id: 'V41',
    title: 'the same without the content type among the metadata: unreadable, on the dead-letter topic',
    basis: 'R',
    rows: ['release.binary-mode'],
    subscriptions: byType,
    run: async (context) => {
      const { 'content-type': _left, ...rest } = BINARY;
      await publishBinary(context, rest);
      await context.arrive(1, 'dead');
      assert.deepEqual([context.seen().length, context.seen('other').length], [0, 0]);
    },
    spoils: [lost],
  },
  {
    id: 'V42',
    title: 'an ordinary envelope stays one, whatever content type its metadata name',
    basis: 'Take',
    rows: ['release.binary-mode'],
    subscriptions: byType,
    run: async (context) => {
      const options = {
        contentType: 'application/json',
        query: query({ 'content-type': OCTETS, 'cloudevent.type': 't' }),
      };
      accepted(await context.sidecar.publish(context.topic(), '{"n":1}', options));
      assert.deepEqual((await context.event())['data'], { n: 1 });
    },
    spoils: [lost, otherDelivery('"n":1', '"n":2')],
  },
  {
    id: 'V47',
    title: 'the app fails: every attempt of the policy is made, then the message is parked',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const row = await untilState(context, 'parked');
      assert.ok(rulesOf(await deliveryOf(context, row)).includes('policy.exhausted'));
      assert.equal(context.seen().length, context.running.maxAttempts);
    },
    spoils: [heardSuccess, twice],
  },
  {
    id: 'V60',
    title: 'streamTTL: entries that are older are trimmed by a publish',
    basis: 'R',
    rows: ['release.redis-settings'],
    run: async (context) => {
      const client = context.redis?.client() ?? assert.fail('no Redis');
      const topic = context.topic();
      const old = Date.now() - 3_600_000;
      for (let n = 0; n < 250; n += 1) await client.xadd(topic, `${old}-${n + 1}`, 'data', 'old');
      accepted(await context.sidecar.publish(topic, 'new', { component: 'trimmed' }));
      assert.ok((await client.xlen(topic)) < 151);
    },
    spoils: [otherStatus(500)],
  },
  ...(
    [
      ['V59a', 'joined', 'a host and a port of its own'],
      ['V59b', 'skipping', 'TLS whose certificate nobody checks'],
    ] as const
  ).map(([id, component, title]): Case => ({
    id,
    title: `Redis settings: ${title}: a publish is taken`,
    basis: 'R',
    rows: ['release.redis-settings'],
    run: async (context) => accepted(await context.sidecar.publish(context.topic(), 'hi', { component })),
    spoils: [otherStatus(404)],
  })),
  {
    id: 'V59c',
    title: 'Redis settings: two ports that differ: not initialised',
    basis: 'R',
    rows: ['release.redis-settings'],
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', { component: 'clashing' });
      refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
    },
    spoils: [otherStatus(204)],
  },
  {
    id: 'V59d',
    title: 'the refusal names both ports',
    basis: 'Take',
    rows: ['release.redis-settings'],
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', { component: 'clashing' });
      const { message } = refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
      const port = context.redis?.port ?? assert.fail('no Redis');
      for (const one_ of [port, port + 1]) assert.ok(String(message).includes(String(one_)), String(message));
    },
    spoils: [otherStatus(204), otherText(/is not ready: .*?"/, 'is not ready"')],
  },
  {
    id: 'V61',
    title: 'enableTLS, and a certificate that nobody vouches for: taken with a warning, or not initialised',
    basis: 'R',
    rows: ['release.redis-settings'],
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', { component: 'checked' });
      if (context.names.isNewer) refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
      else accepted(answer);
    },
    spoils: [otherStatus(500)],
  },
];

/** Redis is not there when the sidecar starts. */
export const redisAwayCases: readonly Case[] = [
  {
    id: 'V24',
    title:
      'Redis comes after the start: what is in memory is served at once, what is on Redis without a restart',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'memory' }), own.subscription('u')],
    run: async (context) => {
      const { redis } = context;
      assert.ok(redis !== undefined, 'no Redis');
      await ready(context);
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'memory' }));
      await context.arrive();
      await redis.start();
      await context.poll(
        async () => context.sidecar.publish(context.topic('u'), 'hi'),
        ({ status }) => status === 204,
        'a publish on Redis',
      );
      await context.arrive(1, 'u');
    },
    spoils: [lost, otherStatus(404)],
  },
];

/** A delivery of the topic of a publish. */
function inventedAt(target: string): string | undefined {
  const topic = target.split('?')[0]?.split('/').at(-1) ?? '';
  return topic.includes('_V40_') ? `/${topic}` : undefined;
}
