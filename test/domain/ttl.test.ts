// Time to live, durations, timestamps and the other publish metadata.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { parseDuration } from '../../core/domain/duration.ts';
import { metadataValue, readOverrides, readRawPayload } from '../../core/domain/metadata.ts';
import {
  ttlComplaint,
  expirationAttribute,
  expirationOf,
  expiryOf,
  isExpired,
  parseRfc3339,
  readTtl,
} from '../../core/domain/ttl.ts';

const { sidecar, dapr } = PROFILES;

describe('time to live', () => {
  // An entry of a bulk request may bring megabytes of them.
  test.each([
    ['digits', '1'.repeat(2_000_000)],
    ['digits and a unit that is none', `${'1'.repeat(2_000_000)}x`],
    ['digits behind a point', `.${'1'.repeat(2_000_000)}`],
  ])('a row of two million %s is refused at once', (_what, value) => {
    expect(readTtl({ ttlInSeconds: value }, sidecar)).toBeUndefined();
  });

  test.each([
    ['10', 10],
    ['+10', 10],
    ['10s', 10],
    ['1m30s', 90],
    ['1.5s', 1.5],
    ['0', 0],
    ['-5s', 0],
  ])('%s is %d s', (value, seconds) => {
    expect(readTtl({ ttlInSeconds: value }, sidecar)).toBe(seconds);
  });

  // Release 1.13.6 of the reference was given each of these: it delivered them with the same expiry, or without one.
  test.each([
    [' 500ms', undefined],
    ['500ms ', undefined],
    ['500MS', undefined],
    ['0.5', undefined],
    ['5.0', undefined],
    [' 10s', undefined],
    ['10S', undefined],
    ['10 s', undefined],
    [' 10', undefined],
    ['\t10', undefined],
    ['5s\n', undefined],
    ['1H', undefined],
    ['0x10', undefined],
    ['1_0', undefined],
    ['\u0665', undefined],
    ['NaN', undefined],
    ['Inf', undefined],
    ['99999999999999999999', undefined],
    ['+5', 5],
    ['00000000000000000000005', 5],
    ['9223372036854775807', 2 ** 63],
    ['007', 7],
    ['1h1s', 3601],
    ['-0', 0],
    ['+0', 0],
  ])('%j is read as the reference reads it: %d', (value, seconds) => {
    for (const profile of [sidecar, dapr]) {
      expect(readTtl({ ttlInSeconds: value }, profile)).toBe(seconds);
      expect(ttlComplaint({ ttlInSeconds: value }, profile)).toBeUndefined();
    }
  });

  test.each(['-5', '00', 'abc', '10 ', '', '1.5', 's', '10x', '1e3', '9223372036854775808'])(
    '%j is ignored',
    (value) => {
      expect(readTtl({ ttlInSeconds: value }, sidecar)).toBeUndefined();
    },
  );

  test.each(['500ms', '0.1s', '999.9ms', '1ns', '5us', '5µs', '+0.5s', '.5s', '0.01m'])(
    '%s is refused',
    (value) => {
      for (const profile of [sidecar, dapr]) {
        expect(ttlComplaint({ ttlInSeconds: value }, profile)).toMatchObject({
          code: 'ERR_PUBSUB_REQUEST_METADATA',
          field: 'metadata.ttlInSeconds',
          reason: `ttlInSeconds value must be at least one second: actual is '${value}'`,
        });
        expect(ttlComplaint({ ttl: value, ttlInSeconds: '5' }, profile)).toMatchObject({
          field: 'metadata.ttl',
        });
      }
      expect(ttlComplaint({ TTLINSECONDS: value }, sidecar)).toBeUndefined();
      expect(ttlComplaint({ TTLINSECONDS: value }, dapr)).toBeDefined();
    },
  );

  test.each(['1s', '1000ms', '1', '10', '0', '0s', '-500ms', '-5s', '0.5', 'abc', ''])(
    'the TTL %j is no mistake',
    (value) => {
      expect(ttlComplaint({ ttlInSeconds: value }, sidecar)).toBeUndefined();
    },
  );

  test('ttl goes before ttlInSeconds; letter case counts in profile sidecar only', () => {
    expect(readTtl({ ttl: '5', ttlInSeconds: '9' }, sidecar)).toBe(5);
    expect(readTtl({ TTLInSeconds: '9' }, sidecar)).toBeUndefined();
    expect(readTtl({ TTLInSeconds: '9' }, dapr)).toBe(9);
  });

  test('the attribute is cut to whole seconds in UTC; the deadline keeps its milliseconds', () => {
    const taken = Date.UTC(2024, 4, 1, 10, 0, 0, 999);
    expect(expirationAttribute(expiryOf(10, taken) ?? 0)).toBe('2024-05-01T10:00:10Z');
    expect(expiryOf(10, taken)).toBe(taken + 10_000);
    expect(expiryOf(undefined, taken)).toBeUndefined();
    expect(expirationAttribute(expiryOf(1e15, taken) ?? 0)).toBe('9999-12-31T23:59:59Z');
  });

  test('a message expires at its deadline, and with a time to live of 0 at once', () => {
    expect(isExpired(1000, 999)).toBe(false);
    expect(isExpired(1000, 1000)).toBe(true);
    expect(isExpired(expiryOf(0, 1000), 1000)).toBe(true);
    expect(isExpired(undefined, 1000)).toBe(false);
  });

  test.each([
    ['', undefined],
    ['soon', undefined],
    [5, undefined],
    ['2024-05-01T10:00:10Z', Date.UTC(2024, 4, 1, 10, 0, 10)],
  ])("an event's own expiration %j is read as %d ms", (expiration, ms) => {
    expect(expirationOf({ expiration })).toBe(ms);
  });
});

describe('timestamps', () => {
  test.each([
    ['2024-05-01T10:00:00Z', Date.UTC(2024, 4, 1, 10)],
    ['2024-05-01T12:00:00+02:00', Date.UTC(2024, 4, 1, 10)],
    ['2024-05-01T10:00:00.25Z', Date.UTC(2024, 4, 1, 10, 0, 0, 250)],
    ['2024-02-29T00:00:00-00:30', Date.UTC(2024, 1, 29, 0, 30)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('%s is %d ms since 1970', (text, ms) => {
    expect(parseRfc3339(text)).toBe(ms);
  });

  test.each([
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-05-01T24:00:00Z',
    '2024-05-01 10:00:00Z',
    '2024-05-01T10:00:00',
    '2024-05-01',
    'x',
  ])('%s is no timestamp', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });

  test('property: a written timestamp is read back to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) }), (ms) => {
        expect(parseRfc3339(expirationAttribute(ms))).toBe(Math.floor(ms / 1000) * 1000);
      }),
    );
  });
});

describe('durations', () => {
  test.each([
    ['1h', 3_600_000],
    ['1h2m3s4ms', 3_723_004],
    ['.5s', 500],
    ['1.s', 1000],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['+1s', 1000],
    ['-1m', -60_000],
    ['0', 0],
    ['-0', -0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBeCloseTo(ms, 9);
  });

  test.each(['', '5', 's', '1s ', ' 1s', '1 s', '1d', '.s', '--1s', '9999999999h', '1S'])(
    '%j is no duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test('property: a whole number of seconds reads the same with and without its unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seconds) => {
        expect(readTtl({ ttlInSeconds: `${seconds}s` }, sidecar)).toBe(
          readTtl({ ttlInSeconds: String(seconds) }, sidecar),
        );
      }),
    );
  });
});

describe('rawPayload', () => {
  test.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s is true', (value) =>
    expect(readRawPayload(value)).toBe(true),
  );
  test.each([undefined, '', '0', 'f', 'F', 'FALSE', 'false', 'False'])('%s is false', (value) =>
    expect(readRawPayload(value)).toBe(false),
  );
  test.each(['maybe', 'tRUE', 'yes', ' true', '2', '"true"'])('%s is unreadable', (value) =>
    expect(readRawPayload(value)).toBeUndefined(),
  );
});

describe('metadata', () => {
  test('only known attributes that are not empty are overrides, and the profile decides about the case of keys', () => {
    const metadata = {
      'cloudevent.id': 'x1',
      'cloudevent.type': '',
      'cloudevent.topic': 'zzz',
      'CloudEvent.Source': 's1',
      other: 'o',
    };
    expect(readOverrides(metadata, sidecar)).toEqual({ id: 'x1' });
    expect(readOverrides(metadata, dapr)).toEqual({ id: 'x1', source: 's1' });
    expect(readOverrides({}, dapr)).toEqual({});
  });

  test('the exact key goes before another case of it', () => {
    expect(metadataValue({ TTL: '1', ttl: '2' }, 'ttl', dapr)).toBe('2');
    expect(metadataValue({}, 'constructor', dapr)).toBeUndefined();
  });
});
