// The bytes of a publish: the envelope attribute by attribute, compared with the CloudEvents library.
import { CloudEvent } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { wrap } from '../../core/domain/envelope.ts';
import type { PublishFacts, PublishInput, Wrapped } from '../../core/domain/envelope.ts';
import { textOf } from '../../core/domain/codec.ts';
import { FLAGS } from '../../core/domain/publish-input.ts';
import { anyText, bytes, codec } from './node-codec.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const facts: PublishFacts = {
  id: '5c1f0f0e-5b0b-4d55-9d3f-3a1b7e0a2c11',
  nowMs: Date.UTC(2024, 4, 1, 10, 0, 0, 700),
  appId: 'checkout',
  traceparent: TRACEPARENT,
  tracestate: '',
  profile: PROFILES.dapr,
  codec,
};

function publish(
  body: PublishInput['body'],
  contentType?: string,
  more: Partial<PublishInput & PublishFacts> = {},
): Wrapped {
  const input: PublishInput = {
    pubsubname: 'pubsub',
    topic: 'orders',
    body,
    metadata: {},
    ...(contentType === undefined ? {} : { contentType }),
    ...more,
  };
  const wrapped = wrap(input, { ...facts, ...more });
  if (!wrapped.ok) throw new Error(`refused: ${wrapped.complaint.code} ${wrapped.complaint.reason ?? ''}`);
  return wrapped.value;
}

function event(wrapped: Wrapped): Record<string, unknown> {
  return JSON.parse(textOf(wrapped.wire, codec)) as Record<string, unknown>;
}

describe('the envelope', () => {
  test('the envelope is byte for byte the example of the reference', () => {
    expect(publish('{"n":1}', 'application/json').wire).toBe(
      '{"data":{"n":1},"datacontenttype":"application/json","id":"5c1f0f0e-5b0b-4d55-9d3f-3a1b7e0a2c11","pubsubname":"pubsub","source":"checkout","specversion":"1.0","time":"2024-05-01T10:00:00Z","topic":"orders",' +
        `"traceid":"${TRACEPARENT}","traceparent":"${TRACEPARENT}","tracestate":"","type":"com.dapr.event.sent"}`,
    );
  });

  test('data is never parsed, whatever it holds', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const data = '{"a":{"a":1.0,"a":[12345678901234567890]}}';
    const wire = publish(`${data} x`, 'application/json').wire;
    const { flags } = publish(data, 'text/plain');
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(wire).toContain(`{"data":${data},"datacontenttype"`);
    expect(flags).toHaveLength(1);
    expect(parsed).toBe(0);
  });

  test('its facts are returned beside the wire', () => {
    expect(publish('hi')).toMatchObject({
      kind: 'wrapped',
      eventId: facts.id,
      eventType: 'com.dapr.event.sent',
      eventSource: 'checkout',
      contentType: 'text/plain',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      flags: [],
    });
    expect(publish('hi')).not.toHaveProperty('expiresAtMs');
  });

  test('profile sidecar has its own default type', () => {
    expect(event(publish('hi', undefined, { profile: PROFILES.sidecar }))['type']).toBe(
      'com.sidecar.event.sent',
    );
  });

  test.each([
    [undefined, 'hi', 'text/plain', 'hi'],
    ['', 'hi', 'text/plain', 'hi'],
    ['application/json', '{"n":1}', 'application/json', { n: 1 }],
    ['application/json; charset=utf-8', '{"n":1}', 'application/json; charset=utf-8', { n: 1 }],
    ['APPLICATION/JSON', '[1]', 'APPLICATION/JSON', [1]],
    ['application/json', 'null', 'application/json', null],
    ['application/json', 'true', 'application/json', true],
    ['application/json', '"s"', 'application/json', 's'],
    ['application/json', '', 'application/json', ''],
    ['application/json', '{bad', 'application/json', '{bad'],
    ['application/json ;x', '{"n":1}', 'application/json ;x', '{"n":1}'],
    ['application/vnd.acme+json', '{"a":1}', 'application/vnd.acme+json', '{"a":1}'],
    ['text/xml', '<a/>', 'text/xml', '<a/>'],
    ['application/cloudevents-batch+json', '[]', 'application/cloudevents-batch+json', '[]'],
  ])(
    'content type %s with %s gives the data and its content type',
    (contentType, body, datacontenttype, data) => {
      const made = event(publish(codec.fromText(body), contentType));
      expect([made['datacontenttype'], made['data'], 'data_base64' in made]).toEqual([
        datacontenttype,
        data,
        false,
      ]);
    },
  );

  test.each([
    'application/octet-stream',
    'Application/Octet-Stream; x=y',
    'application/cloudevents+protobuf',
  ])('%s goes as base64', (contentType) => {
    const made = event(publish(bytes(0, 255), contentType));
    expect([made['data_base64'], 'data' in made]).toEqual(['AP8=', false]);
  });

  test('application/x-protobuf goes as base64 if it is a message, else as text', () => {
    expect(event(publish(bytes(0x0a, 1, 0x61), 'application/x-protobuf'))['data_base64']).toBe('CgFh');
    expect(event(publish(codec.fromText('hello'), 'application/x-protobuf'))['data']).toBe('hello');
    expect(event(publish(bytes(0x0a, 9, 0x61), 'application/x-protobuf'))).toHaveProperty('data');
    expect(event(publish(bytes(0x0a, 1, 0xff), 'application/x-protobuf'))).toHaveProperty('data');
  });

  test('a changed body or ignored TTL has a flag for the person', () => {
    expect(publish('{bad', 'application/json').flags).toEqual([FLAGS.notJson]);
    expect(publish('{} x', 'application/json').flags).toEqual([FLAGS.trailing]);
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain; charset=utf-8',
      '',
      'application/vnd.acme+json',
      'text/html',
      // Formats of their own, whose names are only near.
      'application/ndjson',
      'application/jsonl',
      'application/json5',
      'application/bson; v=1',
      'application/jose',
    ])
      for (const body of ['{"n":1}', ' [1]\n'])
        expect([body, type, publish(body, type).flags]).toEqual([body, type, [FLAGS.jsonAsText]]);
    for (const type of ['aplication/json', 'application/jsn', 'application/json ;x', 'text/json', 'json'])
      expect([type, publish('{"n":1}', type).flags]).toEqual([
        type,
        [`${FLAGS.jsonAsText} Did you mean application/json?`],
      ]);
    for (const body of ['n=1', '7', '"x"', 'null', '{n}', '{"n":1} and more'])
      expect([body, publish(body, 'text/plain').flags]).toEqual([body, []]);
    expect(publish('<n>1</n>', 'application/xml').flags).toEqual([]);
    expect(publish(bytes(0x61, 0xff), 'text/plain').flags).toEqual([FLAGS.notUtf8]);
    expect(publish('a\ufffd', 'text/plain').flags).toEqual([]);
    expect(publish('x', 'text/plain', { metadata: { ttlInSeconds: 'abc' } }).flags).toEqual([
      'ttlInSeconds=abc is not a number of seconds (30) or a duration (30s), so it has no effect: the message does not expire by it.',
    ]);
  });

  test('a time to live of a name or place that has no effect has a flag, unless there is another one or the payload is raw', () => {
    const misnamed = (name: string): string =>
      `The metadata key ${name} has no effect, so the message does not expire by it. Did you mean ttlInSeconds?`;
    const misplaced = (name: string): string =>
      `The query parameter ${name} has no effect, so the message does not expire by it. Did you mean metadata.ttlInSeconds?`;
    const flagsOf = (
      metadata: Readonly<Record<string, string>>,
      misplacedTtl?: string,
      profile = PROFILES.sidecar,
    ): readonly string[] =>
      publish('x', '', { metadata, profile, ...(misplacedTtl === undefined ? {} : { misplacedTtl }) }).flags;
    expect(flagsOf({ ttlInSecond: '5' })).toEqual([misnamed('ttlInSecond')]);
    expect(flagsOf({ TTLInSeconds: '5' })).toEqual([misnamed('TTLInSeconds')]);
    expect(flagsOf({ TTLInSeconds: '5' }, undefined, PROFILES.dapr)).toEqual([]);
    expect(flagsOf({}, 'ttl')).toEqual([misplaced('ttl')]);
    expect(flagsOf({ a: '1' }, 'ttl')).toEqual([misplaced('ttl')]);
    expect(flagsOf({ ttlInSecond: '5' }, 'ttl')).toEqual([misnamed('ttlInSecond')]);
    // An unset variable of the publisher.
    for (const metadata of [{ ttlInSeconds: '' }, { ttl: '' }, { ttlInSeconds: '', ttl: '' }])
      expect([metadata, flagsOf(metadata)]).toEqual([metadata, []]);
    expect(flagsOf({ ttlInSeconds: '' }, 'ttl')).toEqual([misplaced('ttl')]);
    expect(flagsOf({ ttlInSeconds: '5', ttlInSecond: '5' }, 'ttl')).toEqual([]);
    for (const metadata of [{ rawPayload: 'true' }, { rawPayload: 'true', ttlInSecond: '5' }])
      expect(flagsOf(metadata, 'ttl')).toEqual([]);
  });

  test('overrides change the attributes that they may change', () => {
    const metadata = {
      'cloudevent.id': 'x1',
      'cloudevent.type': 'my.t',
      'cloudevent.source': 's1',
      'cloudevent.topic': 'zzz',
      'cloudevent.traceid': 'T',
      'cloudevent.tracestate': 'st',
    };
    expect(event(publish('x', undefined, { metadata }))).toMatchObject({
      id: 'x1',
      type: 'my.t',
      source: 's1',
      topic: 'orders',
      traceid: 'T',
      traceparent: 'T',
      tracestate: 'st',
    });
    const both = { 'cloudevent.traceid': 'T', 'cloudevent.traceparent': 'P' };
    expect(event(publish('x', undefined, { metadata: both }))).toMatchObject({
      traceid: 'P',
      traceparent: 'P',
    });
  });

  test('a time to live becomes expiration and a deadline; the general one only where none is brought', () => {
    const own = publish('x', undefined, { metadata: { ttlInSeconds: '10' }, defaultTtlSeconds: 99 });
    expect([event(own)['expiration'], own.expiresAtMs]).toEqual([
      '2024-05-01T10:00:10Z',
      facts.nowMs + 10_000,
    ]);
    expect(publish('x', undefined, { defaultTtlSeconds: 5 }).expiresAtMs).toBe(facts.nowMs + 5000);
    expect(event(publish('x', undefined, { defaultTtlSeconds: 0 }))).not.toHaveProperty('expiration');
  });

  test.each(['a"b\\', 'ü/ö', '<&>', '\u2028', 'x\n'])('names with %j are escaped', (name) => {
    const made = event(publish('x', `text/plain; n=${name}`, { pubsubname: name, topic: name }));
    expect([made['pubsubname'], made['topic'], made['datacontenttype']]).toEqual([
      name,
      name,
      `text/plain; n=${name}`,
    ]);
  });

  test('long numbers keep their digits', () => {
    expect(publish('{"n": 12345678901234567890, "f": 1.10}', 'application/json').wire).toContain(
      '{"n": 12345678901234567890, "f": 1.10}',
    );
  });

  test('property: members in alphabetical order, the data equal to what was sent, and the library accepts it', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (json, withTtl) => {
        const wrapped = publish(codec.fromText(json), 'application/json', {
          metadata: withTtl ? { ttl: '5s' } : {},
        });
        const made = event(wrapped);
        expect(Object.keys(made)).toEqual(Object.keys(made).toSorted());
        expect(made['data']).toEqual(JSON.parse(json));
        expect(new CloudEvent(made).validate()).toBe(true);
      }),
    );
  });

  test('property: any bytes arrive again', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        const made = event(publish(body, 'application/octet-stream'));
        expect(codec.fromBase64(String(made['data_base64']))).toEqual(new Uint8Array(body));
      }),
    );
  });

  test('property: any text and any names give JSON', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.string(), (body, topic, type) => {
        const made = event(publish(body, 'text/plain', { topic, metadata: { 'cloudevent.type': type } }));
        expect([made['data'], made['topic'], made['type']]).toEqual([
          body,
          topic,
          type === '' ? 'com.dapr.event.sent' : type,
        ]);
      }),
    );
  });
});

test('property: no metadata and unknown metadata give the same envelope', () => {
  const given = fc.record({ topic: anyText, pubsubname: anyText, appId: anyText, tracestate: anyText });
  const contentType = fc.constantFrom(
    '',
    'application/json',
    'text/plain',
    'application/octet-stream',
    'a"b',
  );
  fc.assert(
    fc.property(fc.oneof(anyText, fc.json()), contentType, given, fc.nat(2), (body, type, more, ttl) => {
      const facts = { ...more, defaultTtlSeconds: ttl };
      const wrapped = publish(body, type, facts);
      expect(wrapped).toEqual(publish(body, type, { ...facts, metadata: { says: 'nothing' } }));
      expect(event(wrapped)).toMatchObject({
        topic: more.topic,
        pubsubname: more.pubsubname,
        source: more.appId,
        tracestate: more.tracestate,
      });
    }),
  );
});

describe('raw', () => {
  test('the bytes are sent unchanged, without expiry, and the lost time to live is reported', () => {
    const body = bytes(1, 2, 255);
    const raw = publish(body, 'image/png', { metadata: { rawPayload: 'T', ttlInSeconds: '5' } });
    expect(raw).toEqual({ kind: 'raw', wire: body, contentType: 'image/png', flags: [FLAGS.rawTtl] });
    expect(
      publish(body, undefined, { metadata: { rawPayload: '1' }, defaultTtlSeconds: 9 }),
    ).not.toHaveProperty('expiresAtMs');
  });

  test('a value that is no boolean refuses the publish, with the text of the reference', () => {
    const refused = wrap(
      { pubsubname: 'p', topic: 't', body: 'x', metadata: { rawPayload: 'maybe' } },
      facts,
    );
    expect(refused).toMatchObject({
      ok: false,
      complaint: {
        code: 'ERR_PUBSUB_REQUEST_METADATA',
        params: { reason: "rawPayload value must be a valid boolean: actual is 'maybe'" },
      },
    });
  });

  test('the key is case-sensitive, and empty is false', () => {
    expect(publish('x', undefined, { metadata: { RawPayload: 'true' } }).kind).toBe('wrapped');
    expect(publish('x', undefined, { metadata: { rawPayload: '' } }).kind).toBe('wrapped');
  });
});
