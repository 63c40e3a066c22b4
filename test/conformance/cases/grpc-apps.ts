/** Deliveries to an app that speaks gRPC. Cases G36 to G69 of the gRPC surface. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { one } from '../suite/case.ts';
import type { Case, Own, WireSubscription } from '../suite/case.ts';
import { accepted, listOf, nothingArrives, objectOf, staysAt } from '../suite/checks.ts';
import { attemptsOf, cutByHand, deliveryOf, rulesOf, untilState } from '../suite/console-checks.ts';
import { cancelledAt } from '../suite/grpc-app.ts';
import { publish, went } from '../suite/grpc-checks.ts';
import type { Json } from '../suite/checks.ts';
import type { Delivery } from '../suite/deliveries.ts';
import {
  heardRetry,
  heardSuccess,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  toldOtherwise,
  twice,
} from '../suite/spoiler.ts';

const withDeadLetters = (own: Own): readonly WireSubscription[] => [
  own.subscription('t', { deadLetterTopic: own.topic('dead') }),
  own.subscription('dead'),
];

const dataOf = (message: Json): string => Buffer.from(String(message['data']), 'base64').toString('utf8');

/** Plain values of a Struct. */
const membersOf = (struct: unknown): readonly string[] => Object.keys(objectOf(objectOf(struct)['fields']));

const entriesOf = (delivery: Delivery | undefined): readonly Json[] =>
  listOf(delivery?.json()['entries']).map(objectOf);

export const grpcAppCases: readonly Case[] = [
  {
    id: 'G36',
    title: 'a subscription without routes: delivered with an empty path',
    basis: 'R',
    rows: ['grpc.discovery'],
    subscriptions: (own) => [own.subscription('t', { routes: undefined })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const seen = await context.app.log.until(
        '',
        (all) => all.some((each) => each.json()['topic'] === context.topic()),
        'the event',
        context.patienceMs,
      );
      assert.ok(seen.length > 0);
    },
    spoils: [lost],
  },
  {
    id: 'G40',
    title: 'rules without a default, and none holds: not delivered, on the dead-letter topic',
    basis: 'R',
    rows: ['grpc.discovery'],
    subscriptions: (own) => [
      own.subscription('t', {
        routes: { rules: [{ match: 'event.type == "never"', path: own.path() }] },
        deadLetterTopic: own.topic('dead'),
      }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive(1, 'dead');
      assert.equal(context.seen().length, 0);
    },
    spoils: [lost],
  },
  {
    id: 'G45',
    title: 'every field of an event',
    basis: 'R',
    rows: ['grpc.delivery'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.publish(context.topic(), '{"n":1}', { contentType: 'application/json' }),
      );
      const [delivery] = await context.arrive();
      const event = delivery?.json() ?? {};
      const { appId, component, names } = context;
      assert.deepEqual(
        ['source', 'type', 'spec_version', 'data_content_type', 'topic', 'pubsub_name', 'path'].map(
          (name) => event[name],
        ),
        [appId, names.eventType, '1.0', 'application/json', context.topic(), component, context.path()],
      );
      assert.match(String(event['id']), /./);
      assert.deepEqual(JSON.parse(dataOf(event)), { n: 1 });
      assert.deepEqual(membersOf(event['extensions']).toSorted(), [
        'pubsubname',
        'time',
        'topic',
        'traceid',
        'traceparent',
        'tracestate',
      ]);
      assert.equal(delivery?.headers['pubsubname'], component);
    },
    spoils: [otherDelivery('"1.0"', '"0.3"'), otherDeliveryHeader('pubsubname', undefined)],
  },
  {
    id: 'G46',
    title: 'binary data arrive as they were sent',
    basis: 'R',
    rows: ['grpc.delivery.data'],
    subscriptions: one,
    run: async (context) => {
      const contentType = 'application/octet-stream';
      accepted(await context.sidecar.publish(context.topic(), Uint8Array.of(0, 255), { contentType }));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.json()['data'], Buffer.of(0, 255).toString('base64'));
    },
    spoils: [otherDelivery('"AP8="', '"AA=="')],
  },
  {
    id: 'G46b',
    title: 'a raw subscription gets the stored bytes',
    basis: 'R',
    rows: ['grpc.delivery.data'],
    subscriptions: (own) => [own.subscription('t', { metadata: { rawPayload: 'true' } })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'raw', { query: 'metadata.rawPayload=true' }));
      const [delivery] = await context.arrive();
      const event = delivery?.json() ?? {};
      assert.deepEqual(
        [dataOf(event), event['data_content_type'], event['source']],
        ['raw', 'application/octet-stream', context.names.ownEventSource],
      );
    },
    spoils: [otherDelivery('application/octet-stream', 'text/plain')],
  },
  {
    id: 'G48',
    title: 'a JSON type of its own is not delivered empty',
    basis: 'Take',
    rows: ['grpc.delivery.data'],
    subscriptions: one,
    run: async (context) => {
      const contentType = 'application/vnd.x+json';
      accepted(await context.sidecar.publish(context.topic(), '{"n":1}', { contentType }));
      const [delivery] = await context.arrive();
      assert.notEqual(dataOf(delivery?.json() ?? {}), '');
    },
    spoils: [otherDelivery(/"data":"[^"]*"/, '"data":""')],
  },
  {
    id: 'G49',
    title: 'a long number keeps its digits',
    basis: 'Take',
    rows: ['grpc.delivery.data'],
    subscriptions: one,
    run: async (context) => {
      const contentType = 'application/json';
      accepted(await context.sidecar.publish(context.topic(), '12345678901234567890', { contentType }));
      const [delivery] = await context.arrive();
      assert.equal(dataOf(delivery?.json() ?? {}), '12345678901234567890');
    },
    spoils: [otherDelivery(/"data":"[^"]*"/, '"data":""')],
  },
  {
    id: 'G51',
    title: 'an id that is no text is empty for the app',
    basis: 'R',
    rows: ['grpc.delivery'],
    subscriptions: one,
    run: async (context) => {
      const own = { specversion: '1.0', id: 7, source: 's', type: 't', data: 'x' };
      const contentType = 'application/cloudevents+json';
      accepted(await context.sidecar.publish(context.topic(), JSON.stringify(own), { contentType }));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.json()['id'], '');
    },
    spoils: [otherDelivery('"id":""', '"id":"7"')],
  },
  {
    id: 'G54',
    title: 'SUCCESS: once',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
    },
    spoils: [heardRetry, twice],
  },
  ...(
    [
      ['G54b', 'RETRY', { status: 200, body: '{"status":"RETRY"}' }],
      ['G54c', 'a status that nobody knows', { status: 200, body: '{"status":7}' }],
      ['G56a', 'NOT_FOUND', { status: 5 }],
      ['G56b', 'INTERNAL', { status: 13 }],
      ['G56c', 'UNKNOWN', { status: 2 }],
      ['G56d', 'INVALID_ARGUMENT', { status: 3 }],
      ['G56e', 'PERMISSION_DENIED', { status: 7 }],
    ] as const
  ).map(([id, says, answer]): Case => ({
    id,
    title: `${says}: tried again`,
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), answer, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 2);
    },
    spoils: [heardSuccess],
  })),
  {
    id: 'G54d',
    title: 'DROP: once, with a copy on the dead-letter topic',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: '{"status":"DROP"}' });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [event] = await staysAt(context, 1);
      const [copy] = await staysAt(context, 1, 'dead');
      assert.deepEqual(
        [copy?.json()['id'], dataOf(copy?.json() ?? {})],
        [event?.json()['id'], dataOf(event?.json() ?? {})],
      );
    },
    spoils: [heardSuccess, heardRetry],
  },
  {
    id: 'G55',
    title: 'UNIMPLEMENTED: dropped after one call, without a copy, in every release',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 12 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
      await nothingArrives(context, 'dead');
    },
    spoils: [heardRetry],
  },
  {
    id: 'G59',
    title: 'attempts used up: a copy on the dead-letter topic',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 13 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [copy] = await context.arrive(1, 'dead');
      assert.equal(dataOf(copy?.json() ?? {}), 'hi');
      assert.equal(context.seen().length, context.running.maxAttempts);
    },
    spoils: [heardSuccess],
  },
  {
    id: 'G64',
    title: 'bulk delivery: 7 messages with batches of 3',
    basis: 'Take',
    rows: ['grpc.bulk-delivery'],
    subscriptions: (own) => [own.bulk('t', { maxMessagesCount: 3, maxAwaitDurationMs: 300 })],
    run: async (context) => {
      // Published at once: on a busy machine the batch time would be over between publishes of their own.
      const ids = Array.from({ length: 7 }, (_, n) => `${n}`);
      const entries = ids.map((entryId) => ({ entryId, contentType: 'text/plain', event: entryId }));
      accepted(await context.sidecar.bulk(context.topic(), entries));
      const batches = await context.arrive(3);
      assert.deepEqual(
        batches.map((each) => entriesOf(each).length),
        [3, 3, 1],
      );
      assert.equal(batches[0]?.json()['type'], context.names.bulkEventType);
    },
    spoils: [lost, otherDelivery(/event\.sent\.bulk/, 'event.sent')],
  },
  {
    id: 'G66',
    title: 'a batch with statuses of its own: the one that is left out comes again',
    basis: 'R',
    rows: ['grpc.bulk-delivery'],
    subscriptions: (own) => [own.bulk('t', { maxMessagesCount: 2, maxAwaitDurationMs: 100 })],
    run: async (context) => {
      let left: string | undefined;
      context.app.script(context.path(), (delivery) => {
        const all = entriesOf(delivery).map((entry) => String(entry['entry_id']));
        const [first] = all;
        const kept = left === undefined ? all.filter((entryId) => entryId !== first) : all;
        left ??= first;
        const statuses = kept.map((entryId) => ({ entryId, status: 'SUCCESS' }));
        return { status: 200, body: JSON.stringify({ statuses: [...statuses, { entryId: 'nobody' }] }) };
      });
      const entries = ['a', 'b'].map((event) => ({ entryId: event, contentType: 'text/plain', event }));
      accepted(await context.sidecar.bulk(context.topic(), entries));
      const seen = await context.app.log.until(
        context.path(),
        (all) => all.reduce((sum, each) => sum + entriesOf(each).length, 0) >= 3,
        'the entry that was left out, again',
        context.patienceMs,
      );
      const ids = seen.flatMap((each) => entriesOf(each).map((entry) => entry['entry_id']));
      assert.equal(ids.filter((id) => id === left).length, 2);
    },
    spoils: [
      {
        name: 'every entry is heard as success',
        answered: (said, delivery) =>
          delivery.headers[':method'] === 'OnBulkTopicEvent' ? { status: 200 } : said,
      },
    ],
  },
  {
    id: 'G67',
    title: 'binary data in a batch are not empty',
    basis: 'Take',
    rows: ['grpc.bulk-delivery'],
    subscriptions: (own) => [own.bulk('t', { maxMessagesCount: 1, maxAwaitDurationMs: 50 })],
    run: async (context) => {
      const contentType = 'application/octet-stream';
      accepted(await context.sidecar.publish(context.topic(), Uint8Array.of(0, 255), { contentType }));
      const [entry] = entriesOf((await context.arrive())[0]);
      assert.equal(objectOf(entry?.['cloud_event'])['data'], 'AP8=');
    },
    spoils: [otherDelivery('"AP8="', '""')],
  },
  {
    id: 'G43',
    title: 'without an input binding nobody asks for bindings, and no method is invoked',
    basis: 'R',
    rows: ['grpc.bindings'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
      const called = context.app.log.all().map(({ headers }) => headers[':method']);
      assert.ok(called.includes('OnTopicEvent'));
      assert.deepEqual(
        called.filter((method) => method === 'ListInputBindings' || method === 'OnInvoke'),
        [],
      );
    },
    spoils: [otherDeliveryHeader(':method', 'OnInvoke')],
  },
  {
    id: 'G57',
    title: 'a reply of no bytes: processed',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: new Uint8Array(0) });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
    },
    spoils: [heardRetry],
  },
  {
    id: 'G57b',
    title: 'a reply that cannot be decoded: tried again',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: Uint8Array.of(255, 255) }, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 2);
    },
    spoils: [heardSuccess],
  },
  {
    id: 'G60b',
    title: 'a call that a person cuts is cancelled for the app, and tried again',
    basis: 'Take',
    rows: ['grpc.outcome'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      await cutByHand(context);
      await context.app.log.until(
        cancelledAt(context.path()),
        (seen) => seen.length === 1,
        'the cancelled call',
        context.patienceMs,
      );
      await staysAt(context, 2);
      const rules = rulesOf(await deliveryOf(context, await untilState(context, 'processed')));
      assert.ok(rules.includes('user.cancel'), rules.join(' '));
    },
    spoils: [lost, toldOtherwise('user.cancel', 'grpc.error')],
  },
  {
    id: 'G62',
    title: 'published over HTTP and over gRPC: the app gets the same',
    basis: 'R',
    rows: ['grpc.publish', 'grpc.delivery'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const contentType = 'application/json';
      accepted(await context.sidecar.publish(context.topic(), '{"n":1}', { contentType }));
      went(await publish(context, '{"n":1}', { data_content_type: contentType }));
      const [first, second] = (await context.arrive(2)).map((each) => each.json());
      const own = { id: '', extensions: {} };
      assert.deepEqual({ ...first, ...own }, { ...second, ...own });
      const [one_, other] = [first, second].map((each) => membersOf(each?.['extensions']).toSorted());
      assert.deepEqual(one_, other);
      assert.deepEqual(JSON.parse(dataOf(first ?? {})), { n: 1 });
    },
    spoils: [lost, otherDelivery(/"data":"[^"]*"/, '"data":""')],
  },
  {
    id: 'G63',
    title: 'an attempt is shown with method, metadata, both messages as JSON, code and its name',
    basis: 'Take',
    rows: ['grpc.outcome', 'grpc.delivery'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 5, body: 'not here' }, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const row = await untilState(context, 'processed');
      const [first, second] = attemptsOf(await deliveryOf(context, row));
      assert.equal(first?.['protocol'], 'grpc');
      const request = objectOf(first['request']);
      assert.equal(request['method'], '/dapr.proto.runtime.v1.AppCallback/OnTopicEvent');
      assert.equal(objectOf(request['headers'])['pubsubname'], context.component);
      const sent = objectOf(JSON.parse(String(request['body'])));
      assert.deepEqual(
        [sent['topic'], sent['data']],
        [context.topic(), Buffer.from('hi').toString('base64')],
      );
      const answers = [first, second].map((each) => objectOf(each?.['response']));
      assert.deepEqual(
        answers.map(({ status, statusText, body }) => [status, statusText, body]),
        [
          [5, 'NOT_FOUND', 'not here'],
          [0, 'OK', '{"status":"SUCCESS"}'],
        ],
      );
    },
    spoils: [toldOtherwise('NOT_FOUND', 'OK'), toldOtherwise('OnTopicEvent', 'OnInvoke')],
  },
];

/** With an attempt timeout of 300 ms and one call at a time for the app. */
export const grpcLimitCases: readonly Case[] = [
  {
    id: 'G60',
    title: 'an app that never answers: the call ends at the attempt timeout, and is tried again',
    basis: 'Take',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), 'hang', { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [first, again] = await staysAt(context, 2);
      assert.equal(again?.json()['id'], first?.json()['id']);
    },
    spoils: [heardSuccess],
  },
  {
    id: 'G61',
    title: 'one call at a time for the app: never two over gRPC',
    basis: 'Take',
    rows: ['grpc.delivery'],
    subscriptions: (own) => [own.subscription('t'), own.subscription('u')],
    run: async (context) => {
      const slowly = async (): Promise<{ status: number }> => {
        await sleep(5);
        return { status: 200 };
      };
      for (const name of ['t', 'u']) context.app.script(context.path(name), slowly);
      const before = context.app.mostAtOnce();
      await Promise.all(
        ['t', 'u'].flatMap((name) =>
          Array.from({ length: 10 }, async () => context.sidecar.publish(context.topic(name), 'hi')),
        ),
      );
      for (const name of ['t', 'u']) await context.arrive(10, name);
      assert.deepEqual([before, context.app.mostAtOnce()], [1, 1]);
    },
    spoils: [lost],
  },
];
