/** Differences between releases of the reference in deliveries. Cases V33 to V65. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Own, WireSubscription } from '../suite/case.ts';
import { accepted, delivered, entriesIn, nothingArrives, staysAt } from '../suite/checks.ts';
import { allSuccess } from '../suite/batches.ts';
import {
  heardRetry,
  heardSuccess,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  twice,
} from '../suite/spoiler.ts';

const withDeadLetters = (own: Own): readonly WireSubscription[] => [
  own.subscription('t', { deadLetterTopic: own.topic('dead') }),
  own.subscription('dead'),
];
const FAR_TOO_MUCH = 5 * 1024 * 1024;

/** A route below one's own path: as it is declared, and as release 1.18 cleans it. */
const ROUTES = [
  ['V35a', (path: string) => `${path}/`, (path: string) => path],
  ['V35b', (path: string) => `${path}//x`, (path: string) => `${path}/x`],
  ['V35c', (path: string) => `/d/..${path}/e`, (path: string) => `${path}/e`],
] as const;

/** The entry of V65. */
const TO_THE_ROOT = 'to-the-root';

export const releaseDeliveryCases: readonly Case[] = [
  {
    id: 'V33',
    title: '404 with a dead-letter topic: nothing there, or one copy, byte for byte',
    basis: 'R',
    rows: ['release.not-found'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 404 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await staysAt(context, 1);
      if (context.names.isNewer) {
        const [copy] = await staysAt(context, 1, 'dead');
        assert.equal(copy?.json()['id'], delivery?.json()['id']);
        assert.equal(copy?.json()['data'], 'hi');
      } else await nothingArrives(context, 'dead');
    },
    spoils: [heardRetry, twice],
  },
  {
    id: 'V36',
    title: 'a traceid that is no text: delivered, with a valid traceparent',
    basis: 'R',
    rows: ['release.trace'],
    subscriptions: one,
    run: async (context) => {
      const own = { specversion: '1.0', id: '1', source: 's', type: 't', traceid: 5, data: 'hi' };
      const contentType = 'application/cloudevents+json';
      accepted(await context.sidecar.publish(context.topic(), JSON.stringify(own), { contentType }));
      const [delivery] = await context.arrive();
      assert.match(String(delivery?.headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
      assert.equal(delivery?.json()['data'], 'hi');
    },
    spoils: [otherDeliveryHeader('traceparent', 'none'), otherDelivery('"hi"', '"ho"')],
  },
  {
    id: 'V43',
    title: "headers of a delivery from memory: the subscription's metadata, or the message's",
    basis: 'R',
    rows: ['release.memory-headers'],
    subscriptions: (own) => [own.subscription('t', { metadata: { a: '1' } })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi', { query: 'metadata.b=2' }));
      const [delivery] = await context.arrive();
      const seen = [delivery?.headers['a'], delivery?.headers['b']];
      assert.deepEqual(seen, context.names.isNewer ? [undefined, '2'] : ['1', undefined]);
    },
    spoils: [otherDeliveryHeader('a', 'x'), otherDeliveryHeader('b', 'x')],
  },
  {
    id: 'V44',
    title: 'metadata that name headers of a connection are not handed on',
    basis: 'R',
    rows: ['release.memory-headers'],
    subscriptions: (own) => [
      own.subscription('t', {
        metadata: { 'transfer-encoding': 'x', Connection: 'foo', foo: '1', bar: '2' },
      }),
    ],
    run: async (context) => {
      const query = 'metadata.transfer-encoding=x&metadata.Connection=foo&metadata.foo=1&metadata.bar=2';
      accepted(await context.sidecar.publish(context.topic(), 'hi', { query }));
      const [delivery] = await context.arrive();
      assert.deepEqual([delivery?.headers['foo'], delivery?.headers['bar']], [undefined, '2']);
      assert.notEqual(delivery?.headers['connection'], 'foo');
    },
    spoils: [otherDeliveryHeader('foo', '1'), otherDeliveryHeader('bar', undefined)],
  },
  {
    id: 'V45',
    title: 'an answer of 5 MiB that says RETRY cannot be read: processed',
    basis: 'Take',
    rows: ['release.big-answer', 'single.2xx.invalid'],
    subscriptions: one,
    run: async (context) => {
      const body = JSON.stringify({ fill: 'x'.repeat(FAR_TOO_MUCH), status: 'RETRY' });
      context.app.script(context.path(), { status: 200, body });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
    },
    spoils: [heardRetry],
  },
  ...ROUTES.map(([id, written, cleaned]): Case => ({
    id,
    title: `the route ${written('/a')}: called as it is written, or as ${cleaned('/a')}`,
    basis: 'R',
    rows: ['release.route-path'],
    subscriptions: (own) => [own.subscription('t', { routes: { default: written(own.path()) } })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const path = context.names.isNewer ? cleaned(context.path()) : written(context.path());
      await context.app.log.until(path, (seen) => seen.length > 0, 'the delivery', context.patienceMs);
    },
    spoils: [lost],
  })),
  {
    id: 'V63',
    title: 'a batch that is answered 404: all dropped, without a copy, in every release',
    basis: 'R',
    rows: ['release.not-found', 'bulk.404'],
    subscriptions: (own) => [
      own.bulk('t', { maxMessagesCount: 2, maxAwaitDurationMs: 100 }, { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 404 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
      await nothingArrives(context, 'dead');
    },
    spoils: [heardRetry],
  },
  {
    id: 'V64',
    title: 'an entry that no rule takes is not sent, not even to /',
    basis: 'R',
    rows: ['release.bulk-routes'],
    subscriptions: (own) => [
      own.bulk(
        't',
        { maxMessagesCount: 2, maxAwaitDurationMs: 50 },
        { routes: { rules: [{ match: 'event.type == "never"', path: own.path('never') }] } },
      ),
    ],
    run: async (context) => {
      // The entry of V65 may arrive there meanwhile.
      const others = () => context.app.log.at('/').filter(({ text }) => !text.includes(TO_THE_ROOT)).length;
      const before = others();
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await nothingArrives(context, 'never');
      assert.equal(others(), before);
    },
    spoils: [
      {
        name: 'it is sent to /',
        invented: (request) => (request.target.includes('_V64_') ? '/' : undefined),
      },
    ],
  },
  {
    id: 'V65',
    title: 'a rule with an empty path of a bulk subscription leads to /',
    basis: 'R',
    rows: ['release.bulk-routes'],
    subscriptions: (own) => [
      own.bulk(
        't',
        { maxMessagesCount: 2, maxAwaitDurationMs: 50 },
        { routes: { rules: [{ match: '', path: '' }] } },
      ),
    ],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), TO_THE_ROOT));
      await context.app.log.until(
        '/',
        (seen) => seen.some((each) => each.text.includes(TO_THE_ROOT)),
        'the entry',
        context.patienceMs,
      );
    },
    spoils: [lost],
  },
  {
    id: 'V62',
    title: 'a batch waits for its window from its first message on',
    basis: 'R',
    rows: ['release.batch-window', 'limits.maxAwaitDurationMs'],
    subscriptions: (own) => [own.bulk('t', { maxMessagesCount: 3, maxAwaitDurationMs: 400 })],
    run: async (context) => {
      for (const data of ['1', '2', '3', '4']) accepted(await context.sidecar.publish(context.topic(), data));
      const batches = await context.arrive(2);
      const sizes = batches.map((each) => entriesIn(each).length);
      assert.deepEqual(sizes, [3, 1]);
    },
    spoils: [lost],
  },
  {
    id: 'V6b',
    title: 'a traceparent of the caller reaches the app with its trace',
    basis: 'R',
    rows: ['release.trace'],
    subscriptions: one,
    run: async (context) => {
      const traceId = '0af7651916cd43dd8448eb211c80319c';
      const event = await delivered(context, 'hi', {
        headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      });
      assert.ok(String(event['traceparent']).includes(traceId));
    },
    spoils: [otherDelivery(/"traceparent":"[^"]*"/, '"traceparent":""')],
  },
];

/** Policies with `matching.httpStatusCodes`, on the components of `releaseFiles`. */
export const matchingCases: readonly Case[] = [
  {
    id: 'V48',
    title: 'a constant policy of four retries: five calls, then the dead-letter topic',
    basis: 'R',
    rows: ['release.matching'],
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: 'five', deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { pubsubname: 'five' }),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'five' }));
      await context.arrive(1, 'dead');
      assert.equal(context.seen().length, 5);
    },
    spoils: [heardSuccess, twice],
  },
  ...(
    [
      ['V49', 'some', { status: 400 }, 1, '400 is not in the list: one call'],
      ['V49b', 'some', { status: 503 }, 3, '503 is in the list: retried'],
      [
        'V50',
        'some',
        { status: 200, body: '{"status":"RETRY"}' },
        3,
        'RETRY is retried whatever the list says',
      ],
      ['V51', 'none', { status: 503 }, 1, 'a list of nothing: one call'],
    ] as const
  ).map(([id, component, answer, calls, says]): Case => ({
    id,
    title: `a policy that names statuses: ${says}`,
    basis: 'R',
    rows: ['release.matching'],
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: component, deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { pubsubname: component }),
    ],
    run: async (context) => {
      context.app.script(context.path(), answer);
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component }));
      await context.arrive(1, 'dead');
      assert.equal(context.seen().length, calls);
    },
    spoils: [heardSuccess, twice],
  })),
  {
    id: 'V53',
    title: 'a policy that names statuses says nothing about a batch: retried',
    basis: 'R',
    rows: ['release.matching'],
    subscriptions: (own) => [
      own.bulk('t', { maxMessagesCount: 1, maxAwaitDurationMs: 50 }, { pubsubname: 'some' }),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 400 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'some' }));
      await context.arrive(3);
    },
    spoils: [allSuccess],
  },
];
