// An envelope as the message of a gRPC app: every attribute in its place, and the data as bytes whatever its content type is.
import { describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { grpcOfHttp, httpOfGrpc } from '../../core/contract/status-pairs.ts';
import { batchedEvent, messageText, addressedEvent, rawBatchedEvent } from '../../core/domain/topic-event.ts';
import { traceBinary, traceparentOf } from '../../core/domain/trace-binary.ts';

function eventOf(envelope: object | string) {
  const wire = typeof envelope === 'string' ? envelope : JSON.stringify(envelope);
  const read = batchedEvent(wire, bufferCodec);
  if (!read.ok) throw new Error(read.complaint);
  return read.value;
}

function dataOf(envelope: object | string): string {
  const { data } = eventOf(envelope);
  return typeof data === 'string' ? data : Buffer.from(data).toString('hex');
}

test('attributes become fields and other members extensions, and a field that is no text is empty', () => {
  const event = eventOf({
    specversion: '1.0',
    id: 7,
    source: 'shop',
    type: 'order',
    datacontenttype: 'application/json',
    data: { n: 1 },
    topic: 'orders',
    nested: { a: [1, null, true] },
  });
  expect(event).toEqual({
    id: '',
    source: 'shop',
    type: 'order',
    spec_version: '1.0',
    data_content_type: 'application/json',
    data: '{"n":1}',
    extensions: { topic: 'orders', nested: { a: [1, null, true] } },
  });
});

test('an event without extensions has an empty object of them', () => {
  expect(eventOf({ id: '1' }).extensions).toEqual({});
});

test('an event whose attributes have more than 100,000 values is none for gRPC, whatever its data has', () => {
  const wireOf = (attribute: string, data = '1'): string =>
    `{"id":"1","source":"s","type":"t","specversion":"1.0","more":{"a":[${attribute}1]},"last":[${attribute}1],"data":${data}}`;
  const reason = 'its attributes have more than 100,000 values, more than Sidelight sends over gRPC';
  expect(batchedEvent(wireOf('1,'.repeat(50_000)), bufferCodec)).toEqual({ ok: false, complaint: reason });
  expect(batchedEvent(wireOf('1,'.repeat(49_000)), bufferCodec)).toMatchObject({ ok: true });
  expect(batchedEvent(wireOf('1,', `[${'1,'.repeat(200_000)}1]`), bufferCodec)).toMatchObject({ ok: true });
});

describe('data', () => {
  test.each<[string, object | string, string]>([
    ['text', { datacontenttype: 'text/plain', data: 'hi' }, 'hi'],
    ['text that is a number', { datacontenttype: 'text/plain', data: 5 }, '5'],
    ['JSON', { datacontenttype: 'application/json; charset=utf-8', data: 'x' }, '"x"'],
    ['null', { datacontenttype: 'application/json', data: null }, ''],
    ['none', { datacontenttype: 'application/json' }, ''],
    ['bytes', { datacontenttype: 'application/octet-stream', data_base64: 'AP8=' }, '00ff'],
    ['another JSON type', { datacontenttype: 'application/vnd.x+json', data: '{"a":1}' }, '{"a":1}'],
    ['an image as text', { datacontenttype: 'image/png', data: 'abc' }, 'abc'],
    ['without a type', { data: 'abc' }, '"abc"'],
    ['digits', '{"datacontenttype":"application/json","data":12345678901234567890}', '12345678901234567890'],
  ])('the data of an event: %s', (_name, envelope, expected) => {
    expect(dataOf(envelope)).toBe(expected);
  });

  test.each(['***', 5])('data_base64 %s is no data', (base64) => {
    const read = batchedEvent(JSON.stringify({ data_base64: base64 }), bufferCodec);
    expect(read).toEqual({ ok: false, complaint: 'its data_base64 is not base64' });
  });

  test.each(['[1]', 'text'])('%s is no event', (wire) => {
    expect(batchedEvent(wire, bufferCodec).ok).toBe(false);
  });
});

test('a raw subscription gets the stored bytes in a wrapper', () => {
  const facts = { id: 'u', topic: 't', pubsubname: 'p', profile: PROFILES.dapr, codec: bufferCodec };
  expect(rawBatchedEvent('abc', facts)).toEqual({
    id: 'u',
    source: 'Dapr',
    type: 'com.dapr.event.sent',
    spec_version: '1.0',
    data_content_type: 'application/octet-stream',
    data: 'abc',
    extensions: { pubsubname: 'p', topic: 't' },
  });
});

test('people see the data as base64, and a member of that name within the extensions as it is', () => {
  const event = addressedEvent(eventOf({ data: 'x', own: { data: 'kept' } }), {
    topic: 't',
    pubsubname: 'p',
    path: '',
  });
  const shown: unknown = JSON.parse(messageText({ kind: 'event', event }, bufferCodec));
  expect(shown).toMatchObject({ data: 'Ingi', path: '', extensions: { own: { data: 'kept' } } });
});

test('people see the entries of a batch', () => {
  const batch = {
    id: 'b',
    entries: [
      { entry_id: '1', bytes: Buffer.from([0, 255]), content_type: 'x', metadata: {} },
      { entry_id: '2', cloud_event: eventOf({ data: 'x' }), content_type: 'x', metadata: {} },
    ],
    metadata: {},
    topic: 't',
    pubsub_name: 'p',
    type: 'y',
    path: '/',
  };
  const shown: unknown = JSON.parse(messageText({ kind: 'batch', batch }, bufferCodec));
  expect(shown).toMatchObject({
    entries: [
      { entry_id: '1', bytes: 'AP8=' },
      { entry_id: '2', cloud_event: { data: 'Ingi' } },
    ],
  });
});

describe('trace in binary', () => {
  const text = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('is read back as it was written', () => {
    const bytes = traceBinary(text) ?? new Uint8Array();
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '00000af7651916cd43dd8448eb211c80319c01b7ad6b71692033310201',
    );
    expect(traceparentOf(bytes)).toBe(text);
  });

  test('zeros and broken forms are no trace', () => {
    expect(traceBinary('00-00000000000000000000000000000000-0000000000000000-00')).toBeUndefined();
    expect(traceparentOf(new Uint8Array(29))).toBeUndefined();
    expect(traceparentOf(new Uint8Array([0, 0, 1]))).toBeUndefined();
  });
});

test('answers of the mock app over gRPC', () => {
  const codes = [200, 204, 404, 418, 500, 501, 503].map((status) => grpcOfHttp(status));
  expect(codes).toEqual([0, 0, 5, 2, 13, 12, 14]);
  const pairs = Array.from({ length: 17 }, (_, code) => grpcOfHttp(httpOfGrpc(code)));
  // ALREADY_EXISTS and DATA_LOSS have no status of their own.
  expect(pairs).toEqual([0, 1, 2, 3, 4, 5, 2, 7, 8, 9, 10, 11, 12, 13, 14, 2, 16]);
});
