// The body of a bulk publish: every refusal with its text, and what is published of each entry.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import {
  checkEntries,
  overMaxBytes,
  readBulkPublish,
  readSteps,
  refusedEntries,
} from '../../core/domain/bulk-publish.ts';
import type { BulkPublishContext } from '../../core/domain/bulk-publish.ts';
import { hasMoreElements } from '../../core/domain/element-count.ts';
import { refusalOf } from '../../core/domain/refusal.ts';
import { bytes, codec } from './node-codec.ts';

const context: BulkPublishContext = {
  pubsubname: 'p',
  topic: 't',
  appId: 'a',
  metadata: {},
  profile: PROFILES.sidecar,
  codec,
};
const entry = { entryId: '1', event: 'hi', contentType: 'text/plain' };

function read(body: unknown, more: Partial<BulkPublishContext> = {}): ReturnType<typeof readBulkPublish> {
  return readBulkPublish(typeof body === 'string' ? body : JSON.stringify(body), { ...context, ...more });
}

function messageOf(body: unknown): string {
  const result = read(body);
  if (result.ok) throw new Error('it was taken');
  expect(result.complaint.code).toBe('ERR_PUBSUB_EVENTS_SER');
  return refusalOf(result.complaint).message;
}

test('each step says the size of what it read: the body, then the event of each entry', () => {
  const body = JSON.stringify([entry, { ...entry, entryId: '2' }]);
  const sizes = [...readSteps(body, context)].filter((step) => typeof step === 'number');
  expect(sizes).toEqual([body.length, '"hi"'.length, '"hi"'.length]);
});

test('a large body is a step when its entries were counted, and one when it was checked', () => {
  const event = 'x'.repeat(200_000);
  const body = JSON.stringify([{ ...entry, event }]);
  const sizes = [...readSteps(body, context)].filter((step) => typeof step === 'number');
  expect(sizes).toEqual([body.length, body.length, event.length + 2]);
});

test('an event is never parsed, whatever it holds', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const event = '{"a":{"a":1.0,"a":[12345678901234567890]}}';
  const made = read(`[{"entryId":"1","contentType":"application/json","event":${event}}]`);
  const parsed = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  expect(made).toMatchObject({ ok: true, value: [{ body: event }] });
  expect(parsed.filter((text) => text.includes('{'))).toEqual([]);
});

describe('the number of entries', () => {
  const many = (count: number): string => `[${'{},'.repeat(count - 1)}{}]`;

  test('a request with too many is refused before it is parsed, with the number', () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(messageOf(many(100_001))).toBe(
      'error when unmarshaling the request for topic t pubsub p: a bulk publish has at most 100,000 entries',
    );
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(messageOf(many(100_000))).toContain('event of entry 1 is missing');
  });

  test('commas of texts and of what is inside an entry are none of the array', () => {
    const inner = {
      entryId: '1',
      contentType: 'application/json',
      event: { list: [1, '[,,{'], text: '\\",' },
    };
    expect(hasMoreElements(JSON.stringify([inner, inner, inner]), 3)).toBe(false);
    expect(hasMoreElements(JSON.stringify([inner, inner, inner]), 2)).toBe(true);
    expect(hasMoreElements('["', 0)).toBe(false);
    expect(hasMoreElements('[1,2', 1)).toBe(true);
  });

  test('entries over gRPC have the same bound', () => {
    const one = { entryId: '1', event: Buffer.from('1'), contentType: 'text/plain', metadata: {} };
    const read = checkEntries(
      Array.from({ length: 100_001 }, () => one),
      context,
    );
    expect(read).toMatchObject({
      ok: false,
      complaint: { reason: expect.stringContaining('100,000') as unknown },
    });
  });
});

describe('the shape', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['[{"entryId":"1"', 'unexpected end of JSON input'],
    ['not json', 'the body is not JSON'],
    ['{}', 'the body must be an array, found an object'],
    ['[{},]', 'the body is not JSON'],
    ['[] x', 'there is text after the JSON value'],
    ['[5]', 'entry 1 must be an object, found the number 5'],
    ['[{"entryId":1}]', 'entryId of entry 1 must be a string, found the number 1'],
    ['[{},{"contentType":[]}]', 'contentType of entry 2 must be a string, found an array'],
    ['[{"metadata":{"a":1}}]', 'metadata.a of entry 1 must be a string, found the number 1'],
    ['[{"metadata":"x"}]', 'metadata of entry 1 must be an object, found the text "x"'],
  ])('%j is refused', (body, reason) => {
    expect(messageOf(body)).toBe(`error when unmarshaling the request for topic t pubsub p: ${reason}`);
  });

  test.each(['[]', 'null', ' [] '])('%j has no entries and no mistake', (body) => {
    expect(read(body)).toEqual({ ok: true, value: [] });
  });
});

describe('entries', () => {
  const entryId = 'entryId is duplicated or not present for entry';
  const mismatch = 'error: mismatch between contentType and event';

  test.each([
    [[{ ...entry, entryId: undefined }], entryId],
    [[{ ...entry, entryId: '' }], entryId],
    [[entry, { ...entry, event: 'again' }], entryId],
    [[{ ...entry, contentType: undefined }], mismatch],
    [[{ ...entry, contentType: '' }], mismatch],
    [[{ ...entry, contentType: 'image/png' }], mismatch],
    [[{ ...entry, contentType: 'application/vnd.x+json' }], mismatch],
    [[{ ...entry, event: { a: 1 } }], mismatch],
    [[{ ...entry, event: null }], mismatch],
    [[entry, { ...entry, entryId: 'b', event: undefined }], 'event of entry 2 (entryId "b") is missing'],
    [[{ entryId: 'b', contentType: 'application/json' }], 'event of entry 1 (entryId "b") is missing'],
    [[{ contentType: 'application/json' }], 'event of entry 1 is missing'],
    [[{ ...entry, contentType: 'application/octet-stream', event: 5 }], mismatch],
    [
      [{ ...entry, contentType: 'application/octet-stream', event: 'a?==' }],
      'error: unable to decode base64 application/octect-stream data: illegal base64 data at input byte 1',
    ],
    [[null], 'event of entry 1 is missing'],
  ])('%j is refused', (body, reason) => {
    expect(messageOf(body)).toBe(`error marshaling events to bytes for topic t pubsub p. error: ${reason}`);
  });

  test('the first mistake in order counts, of one entry the event before the id', () => {
    const bad = { entryId: '', event: {}, contentType: 'text/plain' };
    expect(messageOf([bad])).toContain(mismatch);
    expect(messageOf([entry, entry, bad])).toContain(entryId);
    expect(read([entry, { ...bad, event: 'x' }])).toMatchObject({
      complaint: { field: 'entries[1].entryId', variant: 'entry' },
    });
  });

  test.each([
    ['text/plain', '"hi"', 'hi'],
    ['text/xml; charset=x', '"<a/>"', '<a/>'],
    ['application/xml', '"<a/>"', '<a/>'],
    ['application/json', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
    ['Application/JSON; x=y', '"s"', '"s"'],
    ['application/json', 'null', 'null'],
    ['application/cloudevents+json', '[1]', '[1]'],
    ['application/octet-stream', '"AP8="', bytes(0, 255)],
  ])('the event of content type %s %s is read', (contentType, event, body) => {
    const text = `[{"entryId":"1","contentType":${JSON.stringify(contentType)},"event":${event}}]`;
    expect(read(text)).toEqual({ ok: true, value: [{ entryId: '1', contentType, body, metadata: {} }] });
  });

  test('an event that is left out names its field; null is a value', () => {
    expect(read([entry, { entryId: 'b', contentType: 'application/json' }])).toMatchObject({
      ok: false,
      complaint: { field: 'entries[1].event', expected: 'an event' },
    });
    expect(read([{ entryId: 'b', contentType: 'application/json', event: null }])).toMatchObject({
      value: [{ body: 'null' }],
    });
  });

  test('member names in any case, exact ones first; unknown members are ignored', () => {
    expect(read([{ entryID: '7', Event: 'x', CONTENTTYPE: 'text/plain', more: 1 }])).toMatchObject({
      value: [{ entryId: '7', body: 'x' }],
    });
    expect(read([{ entryID: '7', ...entry }])).toMatchObject({ value: [{ entryId: '1' }] });
  });

  test("an entry's metadata goes before the request's, but rawPayload is the request's alone", () => {
    const own = { ttlInSeconds: '1', rawPayload: 'true' };
    const result = read(
      [
        { ...entry, metadata: own },
        { ...entry, entryId: '2' },
      ],
      { metadata: { ttlInSeconds: '9', k: 'v' } },
    );
    expect(result).toMatchObject({
      value: [{ metadata: { ttlInSeconds: '1', k: 'v' } }, { metadata: { ttlInSeconds: '9', k: 'v' } }],
    });
    expect(result.ok && 'rawPayload' in (result.value[0]?.metadata ?? {})).toBe(false);
    expect(
      read([{ ...entry, metadata: { rawPayload: 'false' } }], { metadata: { rawPayload: 'true' } }),
    ).toMatchObject({ value: [{ metadata: { rawPayload: 'true' } }] });
  });

  test('in a profile of any case a key of the entry replaces the same key of the request', () => {
    const result = read([{ ...entry, metadata: { TTL: '1' } }], {
      metadata: { ttl: '9' },
      profile: PROFILES.dapr,
    });
    expect(result).toMatchObject({ value: [{ metadata: { TTL: '1' } }] });
    expect(result.ok && 'ttl' in (result.value[0]?.metadata ?? {})).toBe(false);
  });

  test('property: an accepted bulk has unique entry ids and unchanged bytes', () => {
    const events = fc.array(fc.record({ entryId: fc.string(), event: fc.jsonValue() }), { maxLength: 8 });
    fc.assert(
      fc.property(events, (entries) => {
        const result = read(entries.map((one) => ({ ...one, contentType: 'application/json' })));
        const ids = entries.map((one) => one.entryId);
        expect(result.ok).toBe(new Set(ids).size === ids.length && !ids.includes(''));
        const bodies = result.ok
          ? result.value.map(({ body }) => JSON.parse(String(body)) as unknown)
          : entries.map(({ event }) => event);
        expect(JSON.stringify(bodies)).toBe(JSON.stringify(entries.map(({ event }) => event)));
      }),
    );
  });

  test('property: no body throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(typeof read(body).ok).toBe('boolean');
      }),
    );
  });
});

test('one refused event refuses all entries, with its name', () => {
  expect(refusedEntries(['1', '2'], '2', 'cannot create cloudevent')).toEqual([
    { entryId: '1', error: 'not published: entry 2 was refused' },
    { entryId: '2', error: 'cannot create cloudevent' },
  ]);
});

test.each([
  [{}, 100, false],
  [{ maxBulkPubBytes: '100' }, 100, false],
  [{ maxBulkPubBytes: '99' }, 100, true],
  [{ maxBulkPubBytes: '0' }, 100, false],
  [{ maxBulkPubBytes: '-5' }, 100, false],
  [{ maxBulkPubBytes: 'abc' }, 100, false],
  [{ maxbulkpubbytes: '1' }, 100, false],
])('the limit of %j is passed by %i bytes: %s', (metadata, size, over) => {
  const error = overMaxBytes(size, metadata, PROFILES.sidecar);
  expect(error !== undefined).toBe(over);
  expect(error ?? 'maxBulkPubBytes (99)').toContain('maxBulkPubBytes (99)');
});
