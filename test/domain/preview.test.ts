// The line of a payload in lists: one line, bounded, whatever the payload is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PREVIEW_CHARS } from '../../core/contract/words.ts';
import { previewOf } from '../../core/domain/preview.ts';
import { bytes, codec } from './node-codec.ts';

const event = (members: string): string => `{"specversion":"1.0","id":"1",${members}}`;

test.each([
  [
    'JSON of an event',
    event('"data":{ "orderId" : 1004,\n "note": "a  b" }'),
    false,
    '{"orderId":1004,"note":"a  b"}',
  ],
  [
    'digits stay as they were written',
    event('"data":{"n":12345678901234567890.50}'),
    false,
    '{"n":12345678901234567890.50}',
  ],
  ['text of an event', event('"data":"late fee"'), false, '"late fee"'],
  ['an event without data', event('"type":"x"'), false, ''],
  ['bytes of an event', event(`"data_base64":"${codec.toBase64(bytes(0, 255, 16))}"`), false, '00 ff 10'],
  ['raw text', 'two\n  lines', true, 'two lines'],
  ['raw JSON', '[1,\n 2]', true, '[1,2]'],
  ['a NUL', 'a\0b', true, 'a␀b'],
] as const)('a preview of %s', (_what, wire, raw, line) => {
  expect(previewOf(wire, raw, codec)).toBe(line);
});

test('raw bytes are hexadecimal pairs, cut with a sign', () => {
  expect(previewOf(bytes(255, 0, 128), true, codec)).toBe('ff 00 80');
  const long = previewOf(new Uint8Array(1000).fill(255), true, codec);
  expect(long).toHaveLength(66 * 3);
  expect(long.endsWith('ff…')).toBe(true);
});

test('a preview ends with a whole character', () => {
  const before = 'x'.repeat(PREVIEW_CHARS - 1);
  expect(previewOf(`${before}😀 and more`, true, codec)).toBe(`${before}…`);
});

test('a long payload is cut, and a very long one is not read whole', () => {
  const data = JSON.stringify({ a: 'x'.repeat(300) });
  expect(previewOf(event(`"data":${data}`), false, codec)).toBe(`${data.slice(0, PREVIEW_CHARS)}…`);
  const huge = JSON.stringify({ '"data":': 1, text: 'y'.repeat(400_000) });
  expect(previewOf(event(`"source":"\\"data\\":","data":${huge}`), false, codec)).toBe(
    `${huge.slice(0, PREVIEW_CHARS)}…`,
  );
  // Not even JSON: nothing was parsed.
  expect(previewOf(`[${'1,'.repeat(200_000)}`, true, codec)).toBe(`[${'1,'.repeat(100).slice(0, 199)}…`);
});

test('property: the preview of any text and any bytes is one line of limited length', () => {
  const wires = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 260 }),
    fc.json({ maxDepth: 2 }),
    fc.uint8Array({ maxLength: 260 }),
  );
  fc.assert(
    fc.property(wires, fc.boolean(), (wire, raw) => {
      const line = previewOf(wire, raw, codec);
      expect(line.length).toBeLessThanOrEqual(PREVIEW_CHARS + 1);
      expect(line).not.toContain('\n');
    }),
  );
});
