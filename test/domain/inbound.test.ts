// Stored bytes read back, at the edge of how deep data may be.
import { expect, test } from 'vitest';
import { describe as describeWire, readEvent } from '../../core/domain/inbound.ts';
import { codec } from './node-codec.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const event = (data: string): string =>
  `{"specversion":"1.0","id":"1","source":"s","type":"t","datacontenttype":"application/json","data":${data}}`;

test('an event whose data has 1,000 levels is read', () => {
  const wire = event(nested(1000));
  expect(readEvent(wire, codec).ok).toBe(true);
  const { envelope, data } = describeWire(wire, false, codec);
  expect(envelope?.['id']).toBe('1');
  expect(JSON.stringify(data)).toBe(nested(1000));
});

test('data of 1,001 levels is text', () => {
  const wire = event(nested(1001));
  expect(readEvent(wire, codec).ok).toBe(false);
  expect(describeWire(wire, false, codec)).toEqual({ data: wire });
});
