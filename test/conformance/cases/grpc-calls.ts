/** Calls to the sidecar over gRPC, with an app that speaks HTTP. Cases G1 to G31 of the gRPC surface. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, listOf, nothingArrives, objectOf, staysAt } from '../suite/checks.ts';
import type { GrpcAnswer } from '../suite/grpc-answer.ts';
import { bulk, failed, info, publish, went } from '../suite/grpc-checks.ts';
import { lost, otherCode, otherDelivery, otherGrpcText, otherPath, twice } from '../suite/spoiler.ts';
import type { Spoil } from '../suite/spoiler.ts';

const LIMIT = 4_194_304;
const CLOUDEVENT = 'application/cloudevents+json';

/** Spoils of an expected refusal. */
const REFUSAL: readonly Spoil[] = [otherCode('OK'), otherGrpcText];

interface RefusalCase {
  readonly id: string;
  readonly title: string;
  readonly call: (context: Context) => Promise<GrpcAnswer>;
  readonly code: string;
  readonly text: (context: Context) => string | RegExp;
  readonly reason?: (context: Context) => string;
  readonly details?: number;
  readonly basis?: 'R' | 'Take';
  readonly row: string;
}

const REFUSED: readonly RefusalCase[] = [
  {
    id: 'G6',
    title: 'no name of a component',
    call: async (context) => publish(context, 'hi', { pubsub_name: '' }),
    code: 'INVALID_ARGUMENT',
    text: () => 'pubsub name is empty',
    reason: () => 'NAME_EMPTY',
    details: 2,
    row: 'grpc.publish.errors',
  },
  {
    id: 'G7',
    title: 'an unknown component',
    call: async (context) => publish(context, 'hi', { pubsub_name: 'nope', metadata: { k: 'v' } }),
    code: 'INVALID_ARGUMENT',
    text: () => 'pubsub nope is not found',
    reason: () => 'NOT_FOUND',
    details: 1,
    row: 'grpc.publish.errors',
  },
  {
    id: 'G8',
    title: 'an unknown component and no topic: the component is said',
    call: async (context) => publish(context, 'hi', { pubsub_name: 'nope', topic: '' }),
    code: 'INVALID_ARGUMENT',
    text: () => 'pubsub nope is not found',
    row: 'grpc.publish.errors',
  },
  {
    id: 'G8b',
    title: 'no topic: the reason of the release',
    call: async (context) => publish(context, 'hi', { topic: '' }),
    code: 'INVALID_ARGUMENT',
    text: ({ component }) => `topic is empty in pubsub ${component}`,
    reason: ({ names }) => (names.isNewer ? 'TOPIC_NAME_EMPTY' : 'TOPICNAME_EMPTY'),
    details: 2,
    row: 'grpc.publish.errors',
  },
  {
    id: 'G9',
    title: 'rawPayload that is no boolean',
    call: async (context) => publish(context, 'hi', { metadata: { rawPayload: 'maybe' } }),
    code: 'INVALID_ARGUMENT',
    text: () =>
      "failed deserializing metadata. Error: rawPayload value must be a valid boolean: actual is 'maybe'",
    reason: () => 'METADATA_DESERIALIZATION',
    row: 'grpc.publish.errors',
  },
  {
    id: 'G10',
    title: 'a CloudEvent that is no object',
    call: async (context) => publish(context, '[1]', { data_content_type: CLOUDEVENT }),
    code: 'INVALID_ARGUMENT',
    text: () => 'cannot create cloudevent',
    reason: () => 'CLOUD_EVENT_CREATION',
    row: 'grpc.publish.errors',
  },
  {
    id: 'G19',
    title: 'a repeated entry id',
    call: async (context) => bulk(context, [{ entry_id: '1', event: Buffer.from('a') }, { entry_id: '1' }]),
    code: 'INVALID_ARGUMENT',
    text: (context) =>
      `error marshaling events to bytes for topic ${context.topic()} pubsub ${context.component}. error: entryId is duplicated or not present for entry`,
    reason: () => 'MARSHAL_EVENTS',
    row: 'grpc.bulk-publish',
  },
  {
    id: 'G19b',
    title: 'an empty entry id',
    call: async (context) => bulk(context, [{ entry_id: '', event: Buffer.from('a') }]),
    code: 'INVALID_ARGUMENT',
    text: () => /entryId is duplicated or not present for entry$/,
    row: 'grpc.bulk-publish',
  },
  {
    id: 'G20',
    title: 'a broken CloudEvent among the entries: nothing of the request is delivered',
    call: async (context) =>
      bulk(context, [
        { entry_id: '1', event: Buffer.from('a') },
        { entry_id: '2', event: Buffer.from('[1]'), content_type: CLOUDEVENT },
      ]),
    code: 'INVALID_ARGUMENT',
    text: () => 'cannot create cloudevent',
    reason: () => 'CLOUD_EVENT_CREATION',
    row: 'grpc.bulk-publish',
  },
  {
    id: 'G25',
    title: 'a bulk publish to an unknown component',
    call: async (context) => bulk(context, [{ entry_id: '1' }], { pubsub_name: 'nope' }),
    code: 'INVALID_ARGUMENT',
    text: () => 'pubsub nope is not found',
    row: 'grpc.bulk-publish',
  },
  ...(
    [
      ['GetState', /pub\/sub only\)$/],
      ['NoSuchMethod', /NoSuchMethod$/],
    ] as const
  ).map(([method, text], at) => ({
    id: `G27${'ab'.charAt(at)}`,
    title: `${method} is not implemented`,
    call: async (context: Context) => context.grpc.call(method, {}),
    code: 'UNIMPLEMENTED',
    text: () => text,
    basis: 'Take' as const,
    row: 'grpc.other-calls',
  })),
  {
    id: 'G31',
    title: 'an unknown binding',
    call: async (context) => context.grpc.call('InvokeBinding', { name: 'nope', operation: 'create' }),
    code: 'INTERNAL',
    text: () => "error invoking output binding nope: couldn't find output binding nope",
    row: 'grpc.bindings',
  },
];

const refusedCase = ({
  id,
  title,
  call,
  code,
  text,
  reason,
  details,
  basis = 'R',
  row,
}: RefusalCase): Case => ({
  id,
  title: `over gRPC: ${title}`,
  basis,
  rows: [row],
  needsGrpc: true,
  subscriptions: one,
  run: async (context) => {
    const answer = await call(context);
    const found = failed(answer, code, text(context));
    if (details !== undefined) assert.equal(found.length, details);
    if (reason !== undefined) {
      const { reasonPrefix, errorDomain, isNewer } = context.names;
      const said = info(found);
      assert.deepEqual([said['reason'], said['domain']], [reasonPrefix + reason(context), errorDomain]);
      const first = found.length === 1 || !isNewer ? 'ErrorInfo' : 'ResourceInfo';
      assert.equal(found[0]?.['type'], first);
    }
    await nothingArrives(context);
  },
  spoils: REFUSAL,
});

export const grpcCallCases: readonly Case[] = [
  {
    id: 'G1',
    title: 'PublishEvent without a content type: text/plain',
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      went(await publish(context, 'hi'));
      const event = await context.event();
      assert.deepEqual([event['datacontenttype'], event['data']], ['text/plain', 'hi']);
    },
    spoils: [otherCode('INTERNAL'), otherDelivery('"hi"', '"ho"'), lost],
  },
  {
    id: 'G2',
    title: 'JSON over gRPC and over HTTP: the same envelope',
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      went(await publish(context, '{"n":1}', { data_content_type: 'application/json' }));
      accepted(
        await context.sidecar.publish(context.topic(), '{"n":1}', { contentType: 'application/json' }),
      );
      const [first, second] = (await context.arrive(2)).map((each) => each.json());
      const own = { id: '', time: '', traceid: '', traceparent: '' };
      assert.deepEqual({ ...first, ...own }, { ...second, ...own });
    },
    spoils: [otherCode('INTERNAL'), lost],
  },
  {
    id: 'G3',
    title: 'metadata of the request: raw payload, and overrides of the envelope',
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: (own) => [own.subscription('t')],
    run: async (context) => {
      went(await publish(context, '{"any":"object"}', { metadata: { rawPayload: 'true' } }));
      assert.equal((await context.arrive())[0]?.text, '{"any":"object"}');
      went(await publish(context, 'x', { metadata: { 'cloudevent.id': 'mine' } }));
      assert.equal((await context.arrive(2))[1]?.json()['id'], 'mine');
    },
    spoils: [otherCode('INTERNAL'), otherDelivery('object', 'other')],
  },
  {
    id: 'G4',
    title: "a caller's own CloudEvent keeps what it says",
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const own = { specversion: '1.0', id: '7', source: 's', type: 't', topic: 'x', mine: true, data: 1 };
      went(await publish(context, JSON.stringify(own), { data_content_type: CLOUDEVENT }));
      const event = await context.event();
      assert.deepEqual(
        [event['id'], event['type'], event['mine'], event['data'], event['topic']],
        ['7', 't', true, 1, context.topic()],
      );
    },
    spoils: [otherCode('INTERNAL'), otherDelivery('"mine":true', '"mine":false')],
  },
  {
    id: 'G5',
    title: 'a topic is taken as it is, without unescaping',
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}/b c%2F+` })],
    run: async (context) => {
      const topic = `${context.topic()}/b c%2F+`;
      went(await publish(context, 'hi', { topic }));
      assert.equal((await context.event())['topic'], topic);
    },
    spoils: [otherCode('INTERNAL'), otherPath],
  },
  {
    id: 'G13',
    title:
      'a message just under the limit is taken; one over it ends RESOURCE_EXHAUSTED, and the connection lives',
    basis: 'R',
    rows: ['grpc.limits'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      went(await publish(context, Buffer.alloc(LIMIT - 1024, 0x78)));
      await context.arrive();
      failed(await publish(context, Buffer.alloc(LIMIT + 1, 0x78)), 'RESOURCE_EXHAUSTED');
      went(await publish(context, 'after'));
      await staysAt(context, 2);
    },
    spoils: [otherCode('OK'), lost],
  },
  {
    id: 'G15',
    title: 'traceparent in the metadata of the call: the envelope keeps its trace',
    basis: 'R',
    rows: ['grpc.trace'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const trace = '0af7651916cd43dd8448eb211c80319c';
      const message = { pubsub_name: context.component, topic: context.topic(), data: Buffer.from('x') };
      const traceparent = `00-${trace}-b7ad6b7169203331-01`;
      went(await context.grpc.call('PublishEvent', message, { traceparent }));
      assert.ok(String((await context.event())['traceparent']).includes(trace));
    },
    spoils: [otherCode('INTERNAL'), otherDelivery(/"traceparent":"[^"]*"/, '"traceparent":""')],
  },
  ...(['BulkPublishEvent', 'BulkPublishEventAlpha1'] as const).map((method, at): Case => ({
    id: `G18${'ab'.charAt(at)}`,
    title: `${method}: two entries, two deliveries, nothing failed`,
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const entries = ['a', 'b'].map((text) => ({ entry_id: text, event: Buffer.from(text) }));
      const reply = went(await bulk(context, entries, {}, method));
      assert.deepEqual(listOf(reply['failedEntries']), []);
      const came = await staysAt(context, 2);
      assert.deepEqual(came.map((each) => each.json()['data']).toSorted(), ['a', 'b']);
    },
    spoils: [otherCode('INTERNAL'), lost, twice],
  })),
  {
    id: 'G21',
    title: 'entries without a content type, of a picture, and of bad JSON: delivered as a publish would be',
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const entries = [
        { entry_id: '1', event: Buffer.from('a'), content_type: '' },
        { entry_id: '2', event: Buffer.from('b'), content_type: 'image/png' },
        { entry_id: '3', event: Buffer.from('{bad'), content_type: 'application/json' },
      ];
      went(await bulk(context, entries));
      const came = await context.arrive(3);
      assert.deepEqual(came.map((each) => each.json()['data']).toSorted(), ['a', 'b', '{bad']);
    },
    spoils: [otherCode('INTERNAL'), otherDelivery('{bad', '{good')],
  },
  {
    id: 'G22',
    title: 'a bulk publish without entries goes well',
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    run: async (context) => void went(await bulk(context, [])),
    spoils: [otherCode('INVALID_ARGUMENT')],
  },
  {
    id: 'G23',
    title: 'metadata of the request hold for an entry without its own, and its own go before them',
    basis: 'Take',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const entries = [
        { entry_id: '1', event: Buffer.from('a') },
        { entry_id: '2', event: Buffer.from('b'), metadata: { 'cloudevent.type': 'own' } },
      ];
      went(await bulk(context, entries, { metadata: { 'cloudevent.type': 'all' } }));
      const came = (await context.arrive(2)).map((each) => each.json());
      const types = came.map((each) => `${String(each['data'])}=${String(each['type'])}`).toSorted();
      assert.deepEqual(types, ['a=all', 'b=own']);
    },
    spoils: [otherCode('INTERNAL'), otherDelivery(/"type":"[^"]*"/, '"type":"x"')],
  },
  {
    id: 'G26',
    title: '250 entries: all delivered',
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const entries = Array.from({ length: 250 }, (_, n) => ({
        entry_id: `${n}`,
        event: Buffer.from(`${n}`),
      }));
      went(await bulk(context, entries));
      const came = await context.arrive(250);
      assert.equal(new Set(came.map((each) => each.json()['data'])).size, 250);
    },
    spoils: [otherCode('INTERNAL'), lost],
  },
  {
    id: 'G28',
    title: 'GetMetadata: id, version, components, and subscriptions with where they come from',
    basis: 'R',
    rows: ['grpc.metadata'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const reply = went(await context.grpc.call('GetMetadata', {}));
      assert.equal(reply['id'], context.appId);
      const components = listOf(reply['registered_components']).map((each) => objectOf(each)['name']);
      assert.ok(components.includes(context.component));
      const subscriptions = listOf(reply['subscriptions']).map(objectOf);
      const own = subscriptions.find(({ topic }) => topic === context.topic());
      assert.equal(own?.['type'], 2);
      const http = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      assert.equal(reply['runtime_version'], http['runtimeVersion']);
    },
    spoils: [otherCode('INTERNAL'), otherGrpcText],
  },
  {
    id: 'G29',
    title: 'SetMetadata is seen over both protocols; an empty key is no mistake',
    basis: 'R',
    rows: ['grpc.metadata'],
    needsGrpc: true,
    run: async (context) => {
      const key = context.topic();
      went(await context.grpc.call('SetMetadata', { key, value: 'blue' }));
      went(await context.grpc.call('SetMetadata', { key: '', value: 'red' }));
      const reply = went(await context.grpc.call('GetMetadata', {}));
      assert.equal(objectOf(reply['extended_metadata'])[key], 'blue');
      const http = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      const extended = objectOf(http['extended']);
      assert.deepEqual([extended[key], extended['']], ['blue', undefined]);
    },
    spoils: [otherCode('INTERNAL'), otherGrpcText],
  },
  ...REFUSED.map(refusedCase),
  {
    id: 'G14',
    title: 'an unknown component: its details carry the metadata of the request, or none',
    basis: 'R',
    rows: ['grpc.publish.errors'],
    needsGrpc: true,
    run: async (context) => {
      const answer = await publish(context, 'hi', { pubsub_name: 'nope', metadata: { k: 'v' } });
      const { metadata } = info(failed(answer, 'INVALID_ARGUMENT'));
      assert.deepEqual({ ...objectOf(metadata) }, context.names.isNewer ? {} : { k: 'v' });
    },
    spoils: REFUSAL,
  },
  {
    id: 'G20b',
    title: 'a broken CloudEvent in a bulk publish: the member that names the cause',
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    run: async (context) => {
      const entry = { entry_id: '2', event: Buffer.from('[1]'), content_type: CLOUDEVENT };
      const { metadata } = info(failed(await bulk(context, [entry]), 'INVALID_ARGUMENT'));
      assert.deepEqual(
        Object.keys(objectOf(metadata)).toSorted(),
        context.names.isNewer ? ['appID', 'error'] : ['appID', 'err'],
      );
    },
    spoils: REFUSAL,
  },
];
