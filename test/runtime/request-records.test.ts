/** Attempts that send the same one after another have one record of their request. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { RequestRecords } from '../../core/runtime/state/request-records.ts';

const LARGE = 'x'.repeat(10_000);
const sent = { method: 'POST', url: 'http://app/a', headers: { a: '1' }, body: LARGE };

test('an equal large request has the record of the one before', () => {
  const records = new RequestRecords();
  const first = records.of(sent, bufferCodec);
  expect(records.of({ ...sent, headers: { a: '1' }, body: 'x'.repeat(10_000) }, bufferCodec)).toBe(first);
});

test.each([
  ['a method', { method: 'PUT' }],
  ['an address', { url: 'http://app/b' }],
  ['a header', { headers: { a: '2' } }],
  ['a further header', { headers: { a: '1', b: '2' } }],
  ['another name of a header', { headers: { b: '1' } }],
  ['a body', { body: `${LARGE}y` }],
  ['bytes that are no text', { body: Buffer.alloc(10_000, 0xff) }],
])('a request that differs in %s has a record of its own', (_, other) => {
  const records = new RequestRecords();
  const first = records.of(sent, bufferCodec);
  const second = records.of({ ...sent, ...other }, bufferCodec);
  expect(second).not.toBe(first);
  expect(second).toEqual(new RequestRecords().of({ ...sent, ...other }, bufferCodec));
});

test('a small request has a record of its own', () => {
  const records = new RequestRecords();
  expect(records.of({ ...sent, body: 'x' }, bufferCodec)).not.toBe(
    records.of({ ...sent, body: 'x' }, bufferCodec),
  );
});
