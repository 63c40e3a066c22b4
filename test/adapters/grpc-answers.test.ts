/** How a call over gRPC that failed becomes the answer of an attempt. */
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { APP_METHODS, grpcCode } from '../../core/contract/grpc.ts';
import { answered, broken } from '../../core/adapters/grpc-app-channel/answers.ts';
import { methodOf } from '../../core/adapters/grpc-app-channel/methods.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { RequestCodec } from '../../core/grpc-protocol/protocol.ts';
import { decodedReply } from '../../core/grpc-protocol/replies.ts';

function lost(details: string): ReturnType<typeof broken> {
  const error: ServiceError = Object.assign(new Error(details), {
    code: grpcCode('UNAVAILABLE'),
    details,
    metadata: new Metadata(),
  });
  return broken(error, { headers: undefined, timeoutMs: 1000, waitMs: 1 });
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
  const answer = answered(Buffer.alloc(200_002, Buffer.from([0x0a, 0])), method, undefined, 1);
  expect(answer).toMatchObject({ status: grpcCode('INTERNAL') });
  expect(answer.kind === 'response' && String(answer.body)).toBe(
    'The reply cannot be read: it has more than 100,000 entries',
  );
});
