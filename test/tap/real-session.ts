// A recorded session with the real sidecar: apps over HTTP and gRPC, their publishes and their answers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { APP_METHODS, grpcCode } from '../../core/contract/grpc.ts';
import type { GrpcCodeName } from '../../core/contract/grpc.ts';
import { rawGrpcApp } from '../grpc/raw-app.ts';
import { clientOf } from '../grpc/raw-client.ts';

/** Ports of the tap that the app uses as those of its sidecar. */
export interface TapPorts {
  readonly sidecarPort: number;
  readonly grpcPort: number;
}

export interface SessionCounts {
  readonly subscriptions: number;
  readonly published: number;
  /** Messages that go to no route. */
  readonly forNobody: number;
  /** Messages that have to be sent once more: a sidecar that tries once leaves them without an end. */
  readonly sentAgain: number;
}

/** An app of a session. */
export interface SessionApp {
  readonly url: string;
  readonly protocol: 'http' | 'grpc';
  readonly counts: SessionCounts;
  /** Publishes everything through the tap, and resolves with what was refused. */
  publish(to: TapPorts): Promise<readonly string[]>;
}

type Publish = readonly [topic: string, body: string | Buffer, contentType: string, query?: string];

const JSON_TYPE = 'application/json';
const EVENT_TYPE = 'application/cloudevents+json';

function event(more: object): string {
  return JSON.stringify({ specversion: '1.0', source: 'shop', ...more });
}

const BIG = { match: 'event.type == "big"', path: '/big' };
const BULK = { enabled: true, maxMessagesCount: 10, maxAwaitDurationMs: 200 };

const SUBSCRIPTIONS = [
  { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' },
  { topic: 'dead', route: '/dead' },
  { topic: 'plain', route: '/plain' },
  { topic: 'routed', routes: { rules: [BIG], default: '/small' } },
  { topic: 'choosy', routes: { rules: [BIG] } },
  { topic: 'raw', route: '/raw', metadata: { rawPayload: 'true' } },
  { topic: 'bulk', route: '/bulk', bulkSubscribe: BULK },
  { topic: 'rawbulk', route: '/rawbulk', metadata: { rawPayload: 'true' }, bulkSubscribe: BULK },
].map((one) => ({ pubsubname: 'pubsub', ...one }));

/** Answers of an app to events whose text contains the name, in their order; the last one repeats. */
type Answers = Readonly<Record<string, readonly (string | number)[]>>;

/** A word is a status; other texts are the body, numbers the HTTP status. */
const ANSWERS: Answers = {
  'says-success': ['SUCCESS'],
  'says-retry-once': ['RETRY', 'SUCCESS'],
  'says-drop': ['DROP'],
  'says-404': [404],
  'says-500-once': [500, 'SUCCESS'],
  'says-201': [201],
  'says-302-once': [302, 'SUCCESS'],
  'says-unknown-once': ['UNKNOWN', 'SUCCESS'],
  'says-nothing': [''],
  'says-odd': ['<html>'],
  'says-null': ['null'],
  'says-gzip': ['gzip'],
  'cuts-once': ['cut', 'SUCCESS'],
};

function countsOf(publishes: readonly (readonly [string, string | Buffer, ...unknown[]])[]): SessionCounts {
  const having = (word: string): number => publishes.filter(([, text]) => text.includes(word)).length;
  return {
    subscriptions: SUBSCRIPTIONS.length,
    published: publishes.length,
    forNobody: having('"nobody"'),
    sentAgain: having('-once"'),
  };
}

/** Chooses the answer to an event by its text. */
function answersOf(answers: Answers): (text: string) => string | number {
  const times = new Map<string, number>();
  return (text) => {
    const name = Object.keys(answers).find((each) => text.includes(each)) ?? 'says-success';
    const n = times.get(text) ?? 0;
    times.set(text, n + 1);
    return answers[name]?.[Math.min(n, (answers[name]?.length ?? 1) - 1)] ?? 'SUCCESS';
  };
}

const PUBLISHES: readonly Publish[] = [
  ...Object.keys(ANSWERS).map((says): Publish => ['plain', JSON.stringify({ says }), JSON_TYPE]),
  ...['says-success', 'says-drop', 'says-404', 'says-retry-always', 'says-500-always'].map(
    (says): Publish => ['orders', JSON.stringify({ says }), JSON_TYPE],
  ),
  ['plain', 'a text: äöü 😀', 'text/plain'],
  ['plain', '"a JSON text"', JSON_TYPE],
  ['plain', '{"big":12345678901234567890,"small":1.50}', JSON_TYPE],
  ['plain', 'null', JSON_TYPE],
  ['plain', 'not JSON', JSON_TYPE],
  ['plain', '', JSON_TYPE],
  ['plain', Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
  ['plain', '<a/>', 'application/xml'],
  ['plain', '{"n":1}', 'application/vnd.shop+json; charset=utf-8'],
  ['plain', '{"twice":1}', JSON_TYPE],
  ['plain', '{"twice":1}', JSON_TYPE],
  ['plain', event({ id: 'own', type: 'own', data: { n: 1 }, more: 'x' }), EVENT_TYPE],
  ['plain', event({ id: 'empty', type: 'own' }), EVENT_TYPE],
  ['plain', event({ id: 'bytes', type: 'own', data_base64: 'AAEC/w==' }), EVENT_TYPE],
  ['plain', '{"n":2}', JSON_TYPE, '?metadata.cloudevent.type=other&metadata.more=1'],
  ['plain', '{"n":3}', JSON_TYPE, '?metadata.ttlInSeconds=600'],
  ['plain', '{"n":4}', JSON_TYPE, '?metadata.rawPayload=true'],
  ['routed', event({ id: 'r1', type: 'big', data: { n: 1 } }), EVENT_TYPE],
  ['routed', '{"n":2}', JSON_TYPE],
  ['choosy', event({ id: 'c1', type: 'big', data: { n: 1 } }), EVENT_TYPE],
  ['choosy', '{"for":"nobody"}', JSON_TYPE],
  ['raw', '{"n":3}', JSON_TYPE, '?metadata.rawPayload=true'],
  ['raw', 'text', 'text/plain', '?metadata.rawPayload=true'],
  ['raw', Buffer.from([0, 1, 2, 255]), 'application/octet-stream', '?metadata.rawPayload=true'],
  ['raw', '{"n":5}', JSON_TYPE],
  ['bulk', '{"n":6}', JSON_TYPE],
  ['bulk', '{"says":"says-drop"}', JSON_TYPE],
  ['bulk', '{"says":"says-retry-once"}', JSON_TYPE],
  ['bulk', 'text', 'text/plain'],
  ['bulk', Buffer.from([0, 255, 1]), 'application/octet-stream'],
  ['rawbulk', '{"n":7}', JSON_TYPE, '?metadata.rawPayload=true'],
  ['nobody', '{"for":"nobody"}', JSON_TYPE],
];

const ALWAYS: Answers = { 'says-retry-always': ['RETRY'], 'says-500-always': [500] };

export async function httpSessionApp(): Promise<SessionApp> {
  const wordFor = answersOf({ ...ANSWERS, ...ALWAYS });
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (request.url === '/dapr/subscribe') response.end(JSON.stringify(SUBSCRIPTIONS));
      // A copy on the dead-letter topic is always taken.
      else if (request.url === '/dead') response.end('{"status":"SUCCESS"}');
      else answer(response, text, wordFor);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    protocol: 'http',
    counts: countsOf(PUBLISHES),
    publish: async ({ sidecarPort }) => {
      const refused: string[] = [];
      for (const [topic, body, contentType, query = ''] of PUBLISHES) {
        const { status } = await fetch(
          `http://127.0.0.1:${sidecarPort}/v1.0/publish/pubsub/${topic}${query}`,
          { method: 'POST', headers: { 'content-type': contentType }, body: Buffer.from(body) },
        );
        if (status !== 204) refused.push(`${topic} ${body.toString()}: ${status}`);
      }
      return refused;
    },
  };
}

function answer(response: ServerResponse, text: string, wordFor: (text: string) => string | number): void {
  const { entries }: { readonly entries?: readonly { readonly entryId: string; readonly event: unknown }[] } =
    text === '' ? {} : JSON.parse(text);
  if (entries !== undefined) {
    const statuses = entries.map(({ entryId, event: of }) => ({
      entryId,
      status: wordFor(JSON.stringify(of)),
    }));
    response.end(JSON.stringify({ statuses }));
    return;
  }
  const word = wordFor(text);
  if (word === 'cut') response.destroy();
  else if (word === 'gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"status":"DROP"}'));
  else if (typeof word === 'number') response.writeHead(word).end();
  else response.end(/^[A-Z]+$/.test(word) ? JSON.stringify({ status: word }) : word);
}

/** A number is a status, a text the name of a code. */
const GRPC_ANSWERS: Answers = {
  'says-success': [0],
  'says-retry-once': [1, 0],
  'says-drop': [2],
  'says-unknown-once': [9, 0],
  'says-unimplemented': ['UNIMPLEMENTED'],
  'says-unavailable-once': ['UNAVAILABLE', 0],
};

const GRPC_PUBLISHES: readonly (readonly [
  topic: string,
  data: string | Buffer,
  type: string,
  raw?: 'raw',
])[] = [
  ...Object.keys(GRPC_ANSWERS).map((says) => ['plain', JSON.stringify({ says }), JSON_TYPE] as const),
  ['plain', 'a text', 'text/plain'],
  ['plain', Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
  ['plain', event({ id: 'own', type: 'own', data: { n: 1 } }), EVENT_TYPE],
  ['orders', '{"says":"says-drop"}', JSON_TYPE],
  ['orders', '{"n":1}', JSON_TYPE],
  ['routed', event({ id: 'r1', type: 'big', data: { n: 1 } }), EVENT_TYPE],
  ['routed', '{"n":2}', JSON_TYPE],
  ['choosy', '{"for":"nobody"}', JSON_TYPE],
  ['raw', 'bytes', 'text/plain', 'raw'],
  ['bulk', '{"n":3}', JSON_TYPE],
  ['bulk', '{"says":"says-retry-once"}', JSON_TYPE],
  ['nobody', '{"for":"nobody"}', JSON_TYPE],
];

export async function grpcSessionApp(): Promise<SessionApp> {
  const app = await rawGrpcApp();
  const { protocol } = app;
  const wordFor = answersOf(GRPC_ANSWERS);
  const statusFor = (text: string): number => {
    const word = wordFor(text);
    if (typeof word === 'number') return word;
    throw Object.assign(new Error(word), { code: grpcCode(word as GrpcCodeName), details: word });
  };
  const subscriptions = SUBSCRIPTIONS.map(({ pubsubname, topic, ...more }) => {
    const {
      route,
      routes,
      deadLetterTopic = '',
      metadata = {},
      bulkSubscribe,
    }: Partial<{
      readonly route: string;
      readonly routes: { readonly rules: readonly (typeof BIG)[]; readonly default?: string };
      readonly deadLetterTopic: string;
      readonly metadata: Record<string, string>;
      readonly bulkSubscribe: typeof BULK;
    }> = more;
    return {
      pubsub_name: pubsubname,
      topic,
      metadata,
      dead_letter_topic: deadLetterTopic,
      routes: { rules: routes?.rules ?? [], default: routes?.default ?? route ?? '' },
      ...(bulkSubscribe === undefined
        ? {}
        : {
            bulk_subscribe: {
              enabled: true,
              max_messages_count: BULK.maxMessagesCount,
              max_await_duration_ms: BULK.maxAwaitDurationMs,
            },
          }),
    };
  });
  const { empty, listTopicSubscriptionsResponse, topicEventRequest, topicEventResponse } = protocol;
  app.on(APP_METHODS.listTopicSubscriptions, empty, listTopicSubscriptionsResponse, () => ({
    subscriptions,
  }));
  app.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, ({ id, data }) => ({
    status: statusFor(`${id} ${Buffer.from(data).toString()}`),
  }));
  for (const method of [APP_METHODS.onBulkTopicEvent, APP_METHODS.onBulkTopicEventAlpha1])
    app.on(method, protocol.topicEventBulkRequest, protocol.topicEventBulkResponse, ({ entries }) => ({
      statuses: entries.map(({ entry_id, bytes, cloud_event: of }) => ({
        entry_id,
        status: statusFor(`${of?.id} ${Buffer.from(of?.data ?? bytes ?? []).toString()}`),
      })),
    }));
  return {
    url: app.url,
    protocol: 'grpc',
    counts: countsOf(GRPC_PUBLISHES),
    publish: async ({ grpcPort }) => {
      const client = await clientOf(`127.0.0.1:${grpcPort}`);
      const refused: string[] = [];
      for (const [topic, data, type, raw] of GRPC_PUBLISHES) {
        const request = {
          pubsub_name: 'pubsub',
          topic,
          data: Buffer.from(data),
          data_content_type: type,
          metadata: raw === undefined ? {} : { rawPayload: 'true' },
        };
        const reply = await client.call('PublishEvent', protocol.publishEventRequest, request, empty);
        if ('code' in reply) refused.push(`${topic} ${data.toString()}: ${JSON.stringify(reply)}`);
      }
      return refused;
    },
  };
}
