// Exports as an HTTP archive: what a viewer of such files reads of a call.
import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../core/contract/message.ts';
import { harEntries } from '../../core/domain/recording/har.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { SharedCalls } from '../../core/domain/recording/shared-calls.ts';

const METHOD = '/dapr.proto.runtime.v1.AppCallback/OnTopicEvent';
const OVER_GRPC = {
  attemptId: 'a1',
  protocol: 'grpc',
  number: 1,
  startedAt: '2026-01-31T14:30:00.000Z',
  request: { method: METHOD, url: `grpc://127.0.0.1:6001${METHOD}`, headers: {}, body: '{}' },
} as const;

/** The one entry of a message with this one attempt. */
function entryOf(attempt: Attempt): unknown {
  const message = {
    message: { row: { topic: 'orders', messageId: 'm1' } },
    deliveries: [{ delivery: { deliveryId: 'd1' }, attempts: [attempt] }],
  } as unknown as RecordedMessage;
  const [entry] = harEntries(message, new SharedCalls());
  return entry;
}

describe('a call over gRPC', () => {
  test('is a POST over HTTP/2, answered 200 with the code beside it', () => {
    const response = { status: 12, statusText: 'UNIMPLEMENTED', headers: {}, body: 'no such method' };
    expect(entryOf({ ...OVER_GRPC, response })).toMatchObject({
      request: { method: 'POST', url: OVER_GRPC.request.url, httpVersion: 'HTTP/2' },
      response: { status: 200, statusText: 'gRPC 12 UNIMPLEMENTED', httpVersion: 'HTTP/2' },
    });
  });

  test('without an answer has no status', () => {
    const error = { code: 'refused', message: 'connect ECONNREFUSED' } as const;
    expect(entryOf({ ...OVER_GRPC, error })).toMatchObject({
      response: { status: 0, statusText: 'refused: connect ECONNREFUSED' },
    });
  });
});

test('a call over HTTP has its own verb and status', () => {
  const { protocol: _grpc, ...attempt } = OVER_GRPC;
  const request = { method: 'POST', url: 'http://127.0.0.1:6001/orders?a=1', headers: {}, body: '{}' };
  const response = { status: 503, headers: {}, body: '' };
  expect(entryOf({ ...attempt, request, response })).toMatchObject({
    request: { method: 'POST', httpVersion: 'HTTP/1.1', queryString: [{ name: 'a', value: '1' }] },
    response: { status: 503, statusText: '', httpVersion: 'HTTP/1.1' },
  });
});

test('a call over HTTP/2 without TLS has an address that programs know', () => {
  const { protocol: _grpc, ...attempt } = OVER_GRPC;
  const request = { method: 'POST', url: 'h2c://127.0.0.1:6001/orders', headers: {}, body: '{}' };
  expect(entryOf({ ...attempt, request })).toMatchObject({
    request: { method: 'POST', url: 'http://127.0.0.1:6001/orders', httpVersion: 'HTTP/2' },
  });
});

test.each([
  ['text', { body: 'größer €' }, 12],
  ['a half surrogate', { body: 'a\ud83d' }, 4],
  ['bytes in base64', { body: '/w==', bodyBase64: true as const }, 1],
])('the size of an answer is that of its bytes: %s', (_what, part, size) => {
  const response = { status: 200, headers: {}, ...part };
  expect(entryOf({ ...OVER_GRPC, response })).toMatchObject({
    response: { content: { size, text: part.body } },
  });
});
