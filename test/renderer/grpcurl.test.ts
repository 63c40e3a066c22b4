/** A delivery over gRPC, copied: as a grpcurl command, as an answer of the mock app, and what there is no form of. */
import { expect, test } from 'vitest';
import { receivedCurl, receivedRaw } from '../../renderer/format/repeat-request.ts';
import { isCallOverGrpc } from '../../renderer/format/grpcurl.ts';
import { answerRule } from '../../renderer/components/copy-menu.ts';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

const METHOD = '/dapr.proto.runtime.v1.AppCallback/OnTopicEvent';
const UNAVAILABLE = { status: 14, statusText: 'UNAVAILABLE', headers: {}, body: 'later' };
const BODY = '{"id":"1","data":"eyJuIjoxfQ==","path":"it\'s"}';

function called(url: string) {
  return attemptWith({
    protocol: 'grpc',
    request: {
      method: METHOD,
      url,
      headers: {
        pubsubname: 'pubsub',
        'dapr-api-token': 'secret',
        'grpc-trace-bin': 'AAE=',
        'user-agent': 'x',
      },
      body: BODY,
    },
  });
}

test('a call over HTTP/2 without TLS is copied for clients that know http alone', () => {
  const request = { method: 'POST', url: 'h2c://127.0.0.1:6001/orders', headers: {}, body: '{}' };
  const attempt = attemptWith({ request });
  expect(receivedCurl(attempt)).toContain(
    'curl -g --http2-prior-knowledge -X POST http://127.0.0.1:6001/orders',
  );
  expect(receivedRaw(attempt)).toMatch(/^POST \/orders HTTP\/2\r\nhost: 127\.0\.0\.1:6001\r\n/);
});

test('a grpcurl command has method, address, metadata and message, without secrets and headers of the library', () => {
  const text = receivedCurl(called(`grpc://127.0.0.1:6001${METHOD}`));
  expect(text.split('\n').at(-1)).toBe(
    `grpcurl -plaintext -H 'pubsubname: pubsub' -H 'dapr-api-token: ***' -d '{"id":"1","data":"eyJuIjoxfQ==","path":"it'\\''s"}' 127.0.0.1:6001 dapr.proto.runtime.v1.AppCallback/OnTopicEvent`,
  );
  expect(text).toMatch(/^# The app must serve reflection/);
});

test('a grpcurl command has no key of a terminal', () => {
  const attempt = called(`grpc://127.0.0.1:6001${METHOD}`);
  const request = { ...attempt.request, body: '{"path":"\x7f\x7ftouch x #"}' };
  const text = receivedCurl({ ...attempt, request });
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(text).toContain(String.raw`-d '{"path":"'"$(printf '\177\177')"'touch x #"}'`);
});

test('a grpcurl command has secrets on request, and calls an app with TLS over TLS', () => {
  const text = receivedCurl(called(`grpcs://127.0.0.1:6001${METHOD}`), true);
  expect(text).toContain('dapr-api-token: secret');
  expect(text).not.toContain('-plaintext');
});

test('an event on a stream cannot be copied as grpcurl', () => {
  const streamed = called('grpc://127.0.0.1:5000/dapr.proto.runtime.v1.Dapr/SubscribeTopicEventsAlpha1');
  expect(isCallOverGrpc(streamed)).toBe(false);
  expect(() => receivedCurl(streamed)).toThrow('The app got this event over a stream');
});

test.each([
  '',
  'x',
  'http://[',
  'grpc://h/x;touch$IFS/tmp/y;/AppCallback/On',
  'grpc://h/$(id)AppCallback/OnTopicEvent',
  'grpc://-protoset=x/dapr.proto.runtime.v1.AppCallback/OnTopicEvent',
])('a call of an imported recording to %j is no call to an app', (url) => {
  expect(isCallOverGrpc(called(url))).toBe(false);
  expect(() => receivedCurl(called(url))).toThrow('The app got this event over a stream');
});

test('a gRPC call cannot be copied as raw text', () => {
  expect(() => receivedRaw(called(`grpc://127.0.0.1:6001${METHOD}`))).toThrow('copy it as grpcurl');
});

test('a rule of the mock app from a gRPC answer has the HTTP status of its code, and no route', () => {
  const answered = { ...called(`grpc://127.0.0.1:6001${METHOD}`), response: { ...UNAVAILABLE } };
  const message = wholeMessage({ topic: 'orders', deliveries: [wholeDelivery({ attempts: [answered] })] });
  expect(JSON.parse(answerRule(message))).toEqual({
    enabled: true,
    match: { topic: 'orders' },
    answer: { kind: 'respond', status: 503, body: 'later' },
  });
});
