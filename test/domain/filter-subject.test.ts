// The subject of a filter from a stored message: envelope, payload, searchable text, and how little of it is read.
import { describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { Codec } from '../../core/domain/codec.ts';
import { compileFilter } from '../../core/domain/filter/evaluate.ts';
import { buildSubject } from '../../core/domain/filter/subject.ts';
import { filterOf, NOW_MS, sampleRow, sampleSubject } from './filter-sample.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('payload', () => {
  test('the payload of an envelope is its data', () => {
    const subject = sampleSubject({ data: { a: 1 } });
    expect(subject.event).toMatchObject({ specversion: '1.0', source: 'shop-web' });
    expect(subject.data()).toEqual({ a: 1 });
  });

  test('an envelope with bytes has no payload', () => {
    const subject = sampleSubject({ wire: '{"specversion":"1.0","data_base64":"AAE="}' });
    expect(subject.event).toBeDefined();
    expect(subject.data()).toBeUndefined();
  });

  test.each<[string, string | Uint8Array, unknown]>([
    ['JSON', '{"data":5}', { data: 5 }],
    ['JSON in bytes', bytes('[1]'), [1]],
    ['text', 'plain', 'plain'],
    ['text with JSON in front', '1 2', '1 2'],
    ['bytes', new Uint8Array([0xff, 0xfe]), undefined],
  ])('raw %s has no envelope, and its payload is a value', (_, wire, data) => {
    const subject = sampleSubject({ row: { raw: true }, wire });
    expect(subject.event).toBeUndefined();
    expect(subject.data()).toEqual(data);
  });

  test('an envelope that cannot be read is text', () => {
    const subject = sampleSubject({ wire: '{"specversion":' });
    expect(subject.event).toBeUndefined();
    expect(subject.data()).toBe('{"specversion":');
    expect(subject.text()).toContain('specversion');
  });

  test('nesting without end is text', () => {
    const wire = '['.repeat(200_000);
    expect(sampleSubject({ row: { raw: true }, wire }).data()).toBe(wire);
    expect(sampleSubject({ row: { raw: true }, wire: wire + ']'.repeat(200_000) }).text()).toContain('[[[');
  });
});

describe('searchable text', () => {
  const text = sampleSubject({
    row: { eventId: 'EV-1', batchId: 'BAT-1', replayOf: 'msg_OLD' },
    deliveries: [{ deliveryId: 'dlv_A' }],
    source: 'Shop-Web',
    data: { total: 5, note: 'say "Hi"\nthere' },
  }).text();

  test.each(['msg_1f', 'ev-1', 'bat-1', 'msg_old', 'dlv_a', 'shop-web', '"total":5', 'say "hi"\nthere'])(
    'has the value %j',
    (part) => {
      expect(text).toContain(part);
    },
  );

  test('has the values of the envelope, and not its names', () => {
    expect(text).not.toContain('specversion');
    expect(text).toContain('1.0');
  });

  test('has no base64', () => {
    expect(sampleSubject({ wire: '{"data_base64":"QUJD"}' }).text()).not.toContain('qujd');
  });

  test('the searchable text of a string payload is the string', () => {
    expect(sampleSubject({ data: 'Late "fee"' }).text()).toContain('late "fee"');
  });
});

test('the payload is parsed only for a filter that reads it, and once', () => {
  let read = 0;
  const counting: Codec = {
    ...bufferCodec,
    toText: (from) => {
      read++;
      return bufferCodec.toText(from);
    },
  };
  const subject = buildSubject(
    { row: sampleRow(), metadata: {}, wire: bytes('{"data":{"a":"x"}}') },
    [],
    counting,
  );
  expect(
    compileFilter(filterOf('topic:orders -state:parked size:>1 is:raw OR app:shop'))(subject, NOW_MS),
  ).toBe(true);
  expect(read).toBe(0);
  expect(compileFilter(filterOf('data.a:x source:http x "a" data.a:*'))(subject, NOW_MS)).toBe(true);
  expect(read).toBe(1);
});
