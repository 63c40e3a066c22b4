// A CloudEvent of the caller's: what stays, what is filled in, what is refused; raw wrappers and reading back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { wrap } from '../../core/domain/envelope.ts';
import type { PublishFacts, Wrapped } from '../../core/domain/envelope.ts';
import { describe as describeMessage, readEvent } from '../../core/domain/inbound.ts';
import { rawEvent, wrapRaw } from '../../core/domain/raw-wrapper.ts';
import { FLAGS } from '../../core/domain/publish-input.ts';
import { bytes, codec } from './node-codec.ts';

const facts: PublishFacts = {
  id: 'unused',
  nowMs: Date.UTC(2024, 4, 1, 10),
  appId: 'checkout',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'st=1',
  profile: PROFILES.dapr,
  codec,
};

function own(
  body: string,
  metadata: Readonly<Record<string, string>> = {},
  contentType = 'application/cloudevents+json',
): Wrapped {
  const wrapped = wrap({ pubsubname: 'pubsub', topic: 'orders', contentType, body, metadata }, facts);
  if (!wrapped.ok) throw new Error(wrapped.complaint.code);
  return wrapped.value;
}

const parse = (wrapped: Wrapped): Record<string, unknown> =>
  JSON.parse(String(wrapped.wire)) as Record<string, unknown>;

test('an own CloudEvent with more than 100,000 attributes is refused, with the limit', () => {
  const event = (attributes: number): string =>
    `{${Array.from({ length: attributes }, (_, i) => `"a${i}":1`).join(',')}}`;
  const wrapped = wrap(
    {
      pubsubname: 'pubsub',
      topic: 'orders',
      contentType: 'application/cloudevents+json',
      body: event(100_001),
      metadata: {},
    },
    facts,
  );
  expect(wrapped).toMatchObject({
    ok: false,
    complaint: {
      code: 'ERR_PUBSUB_CLOUD_EVENTS_SER',
      reason: 'the event has more than 100,000 attributes',
    },
  });
  expect(parse(own(event(99_990)))['a99989']).toBe(1);
});

describe('an own CloudEvent', () => {
  const complete = {
    id: 'e1',
    source: '/mine',
    type: 'my.type',
    specversion: '1.0',
    time: '2020-01-01T00:00:00Z',
    traceid: 'tid',
    traceparent: 'tp',
    tracestate: 'ts',
    data: { n: 1 },
    subject: 'sub',
    myext: [1, { x: null }],
  };

  test('a complete event keeps all members but topic and pubsubname', () => {
    expect(parse(own(JSON.stringify(complete)))).toEqual({
      ...complete,
      topic: 'orders',
      pubsubname: 'pubsub',
    });
  });

  test('an own CloudEvent is not nested, and its facts are returned beside the wire', () => {
    expect(own(JSON.stringify(complete))).toMatchObject({
      kind: 'own',
      eventId: 'e1',
      eventType: 'my.type',
      eventSource: '/mine',
      subject: 'sub',
      contentType: 'application/cloudevents+json',
      flags: [],
    });
  });

  test('missing or null members are filled in, except id, datacontenttype and data', () => {
    expect(parse(own('{"source":null,"topic":"evil","pubsubname":5}'))).toEqual({
      source: 'Dapr',
      type: 'com.dapr.event.sent',
      specversion: '1.0',
      time: '2024-05-01T10:00:00Z',
      traceid: facts.traceparent,
      traceparent: facts.traceparent,
      tracestate: 'st=1',
      topic: 'orders',
      pubsubname: 'pubsub',
    });
    expect(own('{}').flags).toEqual([FLAGS.noId]);
  });

  test('a traceparent without traceid is replaced, with one it stays', () => {
    expect(parse(own('{"traceparent":"mine"}'))['traceparent']).toBe(facts.traceparent);
    expect(parse(own('{"traceid":"t","traceparent":"mine"}'))['traceparent']).toBe('mine');
    expect(parse(own('{"traceid":5}'))['traceid']).toBe(5);
  });

  test('a time to live overwrites expiration, without one its own is honoured', () => {
    const withOwn = '{"expiration":"2030-01-01T00:00:00Z"}';
    expect(own(withOwn).expiresAtMs).toBe(Date.UTC(2030, 0, 1));
    expect(parse(own(withOwn, { ttlInSeconds: '10' }))['expiration']).toBe('2024-05-01T10:00:10Z');
    expect(own('{"expiration":"soon"}')).not.toHaveProperty('expiresAtMs');
  });

  test('overrides of the query do not change it', () => {
    expect(parse(own('{"id":"e"}', { 'cloudevent.id': 'x', 'cloudevent.type': 'y' }))).toMatchObject({
      id: 'e',
      type: 'com.dapr.event.sent',
    });
  });

  test('text after the event is ignored with a warning, another version gets a warning', () => {
    expect(own('{"id":"e"} tail').flags).toEqual([FLAGS.trailing]);
    expect(own('{"id":"e","specversion":"0.3"}').flags).toEqual([FLAGS.otherVersion]);
  });

  test.each(['[1]', '', '{"', 'null', '"s"', '5', 'text'])('%j is refused', (body) => {
    const refused = wrap(
      {
        pubsubname: 'p',
        topic: 't',
        contentType: 'application/cloudevents+json; charset=utf-8',
        body,
        metadata: {},
      },
      facts,
    );
    expect(refused).toMatchObject({ ok: false, complaint: { code: 'ERR_PUBSUB_CLOUD_EVENTS_SER' } });
  });

  test('any body is accepted with rawPayload', () => {
    expect(own('not json', { rawPayload: 'true' })).toMatchObject({ kind: 'raw', wire: 'not json' });
  });

  test('property: every member the caller gave is kept, digits included', () => {
    const name = fc.string().filter((one) => !['topic', 'pubsubname', '__proto__'].includes(one));
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue()),
        fc.bigInt({ min: 10n ** 20n, max: 10n ** 30n }),
        (members, long) => {
          const text = `${JSON.stringify(members).slice(0, -1)}${Object.keys(members).length > 0 ? ',' : ''}"zzlong":${long}}`;
          const wrapped = own(text);
          expect(wrapped.wire).toContain(`"zzlong":${long}`);
          const kept = Object.entries(JSON.parse(JSON.stringify(members)) as object).filter(
            ([key, value]) => value !== null && key !== 'traceparent',
          );
          expect(parse(wrapped)).toMatchObject(Object.fromEntries(kept.filter(([key]) => key !== 'zzlong')));
        },
      ),
    );
  });
});

describe('a raw subscription', () => {
  const rawFacts = { id: 'u1', topic: 't', pubsubname: 'p', profile: PROFILES.sidecar, codec };

  test('gets a wrapper with exactly these members', () => {
    expect(wrapRaw(codec.fromText('hi'), rawFacts)).toBe(
      '{"data_base64":"aGk=","datacontenttype":"application/octet-stream","id":"u1","pubsubname":"p","source":"Sidecar","specversion":"1.0","topic":"t","type":"com.sidecar.event.sent"}',
    );
  });

  test('gets an event back whole out of its wrapper', () => {
    const envelope = own('{"id":"e1"}').wire;
    expect(codec.toText(codec.fromBase64(rawEvent(envelope, rawFacts)['data_base64'] ?? '') ?? bytes())).toBe(
      envelope,
    );
  });
});

describe('reading back', () => {
  test.each(['{"a":1}', '{}', ' {"id":"x"}\n'])('%j is an event', (text) => {
    expect(readEvent(codec.fromText(text), codec)).toEqual({ ok: true, event: JSON.parse(text) as unknown });
  });

  test.each(['hi', '', '[1]', 'null', '5', '{"a":1} x', '{"a":'])('%j is none, and says why', (text) => {
    const read = readEvent(text, codec);
    expect(read).toMatchObject({ ok: false, reason: expect.any(String) as unknown });
  });

  test('the description of a message has envelope and data', () => {
    expect(describeMessage('{"id":"x","data":{"n":1}}', false, codec)).toEqual({
      envelope: { id: 'x', data: { n: 1 } },
      data: { n: 1 },
    });
    expect(describeMessage('{"data_base64":"aGk="}', false, codec)).toMatchObject({
      data: undefined,
      dataBase64: 'aGk=',
    });
    expect(describeMessage('{"n":1}', true, codec)).toEqual({ data: { n: 1 } });
    expect(describeMessage('plain', true, codec)).toEqual({ data: 'plain' });
    expect(describeMessage(bytes(255), true, codec)).toEqual({ data: undefined, dataBase64: '/w==' });
    expect(describeMessage('plain', false, codec)).toEqual({ data: 'plain' });
  });
});
