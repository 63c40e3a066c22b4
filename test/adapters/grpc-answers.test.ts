/** How a call over gRPC that failed becomes the answer of an attempt. */
import { createServer } from 'node:http2';
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { APP_METHODS, grpcCode } from '../../core/contract/grpc.ts';
import { answered, broken } from '../../core/adapters/grpc-app-channel/answers.ts';
import { createGrpcAppChannel } from '../../core/adapters/grpc-app-channel/channel.ts';
import { methodOf } from '../../core/adapters/grpc-app-channel/methods.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { RequestCodec } from '../../core/grpc-protocol/protocol.ts';
import { decodedReply } from '../../core/grpc-protocol/replies.ts';
import type { AppCall, ReceivedAnswer } from '../../core/ports/app-channel.ts';

const ENDED = { headers: undefined, httpStatus: undefined, fault: undefined, timeoutMs: 1000, waitMs: 1 };

function lost(details: string): ReturnType<typeof broken> {
  const error: ServiceError = Object.assign(new Error(details), {
    code: grpcCode('UNAVAILABLE'),
    details,
    metadata: new Metadata(),
  });
  return broken(error, ENDED);
}

test.each([
  ['connect ECONNREFUSED 127.0.0.1:1. Resolution note: ', 'connect ECONNREFUSED 127.0.0.1:1.'],
  ['connect ECONNREFUSED. Resolution note: no address', 'connect ECONNREFUSED. Resolution note: no address'],
  ['connect failed ', 'connect failed '],
])('the text %j of a lost call is told as %j', (details, message) => {
  expect(lost(details)).toMatchObject({ kind: 'none', message });
});

test('a text of two million blanks is read at once', () => {
  const details = `a${' '.repeat(2_000_000)}b`;
  expect(lost(details)).toMatchObject({ kind: 'none', message: details });
});

test.each([
  ['a batch', 'topicEventBulkResponse', 0x0a],
  ['a binding', 'bindingEventResponse', 0x1a],
  ['discovery', 'listTopicSubscriptionsResponse', 0x0a],
  ['a question for bindings', 'listInputBindingsResponse', 0x0a],
] as const)('a reply to %s with more than 100,000 entries is not decoded', async (_, name, tag) => {
  const codec: Pick<RequestCodec<unknown>, 'decode' | 'partsIn'> = (await loadProtocol())[name];
  // An entry without content: its tag, and the length 0.
  const reply = (entries: number): Buffer => Buffer.alloc(2 * entries, Buffer.from([tag, 0]));
  expect(Object.values(Object(decodedReply(codec, reply(100_000)))).flat()).toHaveLength(100_000);
  expect(() => decodedReply(codec, reply(100_001))).toThrow('it has more than 100,000 entries');
});

test('such a reply is an error of the app, with the reason', async () => {
  const call = { path: APP_METHODS.listTopicSubscriptions, headers: {}, body: '' };
  const method = methodOf(call, await loadProtocol());
  const answer = answered(Buffer.alloc(200_002, Buffer.from([0x0a, 0])), method, ENDED);
  expect(answer).toMatchObject({ status: grpcCode('INTERNAL') });
  expect(answer.kind === 'response' && String(answer.body)).toBe(
    'The reply cannot be read: it has more than 100,000 entries',
  );
});

const LIST: AppCall = { path: APP_METHODS.listTopicSubscriptions, headers: {}, body: '', timeoutMs: 5000 };

/** A call to an app that answers each with these headers and pieces of data, and then says that all is well, unless the headers have a code. */
async function answerOf(
  headers: object,
  pieces: readonly (readonly number[])[],
  call: AppCall = LIST,
  status = '0',
): Promise<ReceivedAnswer> {
  const app = createServer();
  app.on('stream', (stream) => {
    const all = { ':status': 200, 'content-type': 'application/grpc', ...headers };
    if (pieces.length === 0) return stream.respond(all, { endStream: true });
    stream.respond(all, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
    const send = ([piece, ...later]: typeof pieces): void => {
      if (piece === undefined) stream.end();
      // The next one is in a frame of its own.
      else stream.write(Buffer.from(piece), () => setImmediate(send, later));
    };
    send(pieces);
  });
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  const address = app.address();
  if (address === null || typeof address === 'string') throw new Error('the app has no port');
  const channel = createGrpcAppChannel({ url: `grpc://127.0.0.1:${address.port}` });
  onTestFinished(async () => {
    await channel.close();
    app.close();
  });
  return channel.deliver(call).answer;
}

test.each([
  ['JSON', 'application/json', 200, 'UNKNOWN', 'with content type application/json'],
  ['a page', 'text/html; charset=utf-8', 404, 'UNIMPLEMENTED', 'with content type text/html; charset=utf-8'],
] as const)(
  '%s in plain HTTP is no reply of gRPC, and is told as that',
  async (_name, type, status, code, how) => {
    const bytes = [...Buffer.from('{"status":"SUCCESS"}')];
    const answer = await answerOf({ ':status': status, 'content-type': type }, [bytes]);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode(code), isForeign: true });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      `The app does not speak gRPC: it answers ${how}.`,
    );
  },
);

test.each([
  ['no encoding', {}],
  ['the encoding identity', { 'grpc-encoding': 'identity' }],
  ['an unknown encoding', { 'grpc-encoding': 'snappy' }],
])('a compressed reply with %s is an error of the app', async (_name, encoding) => {
  const answer = await answerOf(encoding, [[1, 0, 0, 0, 1, 0]]);
  expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
  expect(answer.kind === 'response' && String(answer.body)).toContain('marked as compressed');
});

test.each(['text/html', 'application/json', 'APPLICATION/GRPC', 'application/grpc-web'])(
  'a reply that says it is %s is an error of the app, as on the reference',
  async (type) => {
    const answer = await answerOf({ 'content-type': type }, [REPLY], EVENT);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('UNKNOWN') });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      `The app does not speak gRPC: it answers with content type ${type}.`,
    );
  },
);

test.each([
  ['text/html', 'UNKNOWN', { 'grpc-status': '12', 'content-type': 'text/html' }],
  ['gRPC', 'UNIMPLEMENTED', { 'grpc-status': '12' }],
  ['a page that is not found', 'UNIMPLEMENTED', { ':status': 404, 'content-type': 'text/html' }],
  [
    'a page with a code',
    'UNIMPLEMENTED',
    { ':status': 404, 'content-type': 'text/html', 'grpc-status': '5' },
  ],
  ['a page and well', 'UNIMPLEMENTED', { ':status': 404, 'content-type': 'text/html', 'grpc-status': '0' }],
  [
    'nothing, with a code',
    'UNIMPLEMENTED',
    { ':status': 404, 'content-type': undefined, 'grpc-status': '5' },
  ],
  ['nothing that is not found', 'UNIMPLEMENTED', { ':status': 404, 'content-type': undefined }],
] as const)('an unknown method in an answer that says it is %s is %s', async (_type, code, headers) => {
  const answer = await answerOf(headers, [], EVENT);
  expect(answer).toMatchObject({ kind: 'response', status: grpcCode(code) });
});

test.each(['application/grpc', 'application/grpc+proto', 'application/grpc; charset=utf-8'])(
  'a reply that says it is %s is read',
  async (type) => {
    expect(await answerOf({ 'content-type': type }, [REPLY], EVENT)).toMatchObject({ status: 0 });
  },
);

test.each([
  ['nothing', []],
  ['half a message', [0, 0, 0, 0, 9, 8]],
])('an app that sends %s and says that all is well has no unknown method', async (_name, bytes) => {
  const answer = await answerOf({}, [bytes]);
  expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
  expect(answer.kind === 'response' && String(answer.body)).toBe('The app ended the call without a reply.');
});

/** A whole reply of each method of an app: a message without a field. */
const REPLY = [0, 0, 0, 0, 0];
const HALF = [0, 0, 0, 0, 9, 8];

const EVENT: AppCall = {
  ...LIST,
  path: APP_METHODS.onTopicEvent,
  message: {
    kind: 'event',
    event: {
      id: '1',
      source: 's',
      type: 't',
      spec_version: '1.0',
      data_content_type: 'application/json',
      topic: 'orders',
      data: '{}',
      pubsub_name: 'pubsub',
      path: '',
      extensions: {},
    },
  },
};
const BATCH: AppCall = {
  ...LIST,
  path: APP_METHODS.onBulkTopicEvent,
  message: {
    kind: 'batch',
    batch: {
      id: 'b',
      entries: [],
      metadata: {},
      topic: 'orders',
      pubsub_name: 'pubsub',
      type: 't',
      path: '',
    },
  },
};

test.each(['', '0.0', '0x0', '0e5', '12.0', '0x0c', 'abc'])(
  'a reply with the grpc-status %j is an error of the app, as on the reference',
  async (status) => {
    const answer = await answerOf({}, [REPLY], EVENT, status);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      'The app sent a grpc-status that is not a whole number.',
    );
  },
);

test.each(['00', '+0', '-0'])('a reply with the grpc-status %j is read', async (status) => {
  expect(await answerOf({}, [REPLY], EVENT, status)).toMatchObject({ status: 0 });
});

test.each([2, 255])('a reply that begins with the byte %i is an error of the app', async (flag) => {
  for (const status of ['0', '12']) {
    const answer = await answerOf({}, [[flag, 0, 0, 0, 2, 8, 2]], EVENT, status);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      `The app sent a message that begins with the byte ${flag}, where gRPC knows 0 and 1.`,
    );
  }
});

test('part of a message before an unknown method is an error of the app', async () => {
  for (const pieces of [[HALF], [[...REPLY, ...HALF]]])
    expect(await answerOf({}, pieces, EVENT, '12')).toMatchObject({ status: grpcCode('INTERNAL') });
});

describe.each([
  ['an event', EVENT],
  ['a batch', BATCH],
  ['discovery', LIST],
  ['a health check', { ...LIST, path: APP_METHODS.healthCheck }],
] as const)('a reply to %s', (_name, call) => {
  test.each([
    ['in the same piece', [[...REPLY, ...REPLY]]],
    ['in a piece of its own', [REPLY, REPLY]],
    ['cut in two', [[...REPLY, 0, 0], REPLY.slice(2)]],
    ['followed by a third', [REPLY, REPLY, REPLY]],
  ])('with a second message %s is an error of the app', async (_how, pieces) => {
    const answer = await answerOf({}, pieces, call);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      'The app sent a second message where one reply is expected.',
    );
  });

  test.each([
    ['half a message in the same piece', [[...REPLY, ...HALF]]],
    ['half a message in a piece of its own', [REPLY, HALF]],
    ['the beginning of a head', [REPLY, [0]]],
    ['a head alone', [REPLY, [0, 0, 0, 0, 9]]],
  ])('with %s behind it is an error of the app', async (_how, pieces) => {
    const answer = await answerOf({}, pieces, call);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('INTERNAL') });
    expect(answer.kind === 'response' && String(answer.body)).toBe(
      'The app sent part of a message where one reply is expected.',
    );
  });

  test.each([
    ['in one piece', [REPLY]],
    ['in two', [REPLY.slice(0, 2), REPLY.slice(2)]],
  ])('that is whole is read %s', async (_how, pieces) => {
    expect(await answerOf({}, pieces, call)).toMatchObject({ kind: 'response', status: 0 });
  });

  test('with a message beyond the limit behind it is an error of the app', async () => {
    const junk = [...Buffer.from('junk behind the reply')];
    const answer = await answerOf({}, [REPLY, junk], call);
    expect(answer).toMatchObject({ kind: 'response', status: grpcCode('RESOURCE_EXHAUSTED') });
  });
});
