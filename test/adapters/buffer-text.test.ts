/** Bytes that are no UTF-8 as text: the expected texts were read from what both releases of the reference deliver. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';

test.each([
  ['e28241', '??A'],
  ['f09f9841', '???A'],
  ['eda08041', '???A'],
  ['c08041', '??A'],
  ['f8888080', '????'],
  ['ff', '?'],
  ['e282', '??'],
  ['41e2', 'A?'],
  ['f09f98', '???'],
  ['f4908080', '????'],
  ['e0808041', '???A'],
  ['efbfbd', '?'],
  ['f0908d88', '\u{10348}'],
  ['efbbbf41', '\u{feff}A'],
  ['c2', '?'],
  ['', ''],
])('the bytes %s are the text %j', (hex, text) => {
  expect(bufferCodec.toText(Buffer.from(hex, 'hex')).replaceAll('\ufffd', '?')).toBe(text);
});

test('characters between invalid bytes stay', () => {
  const parts = ['a', 'ä', '€', '😀', '\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}'];
  const bytes = parts.flatMap((part) => [Buffer.from(part), Buffer.from([0xff])]);
  expect(bufferCodec.toText(Buffer.concat(bytes))).toBe(parts.map((part) => `${part}\ufffd`).join(''));
});

test('property: any bytes become the text that the platform reads, except for the number of U+FFFD', () => {
  const squeezed = (text: string): string => text.replaceAll(/\ufffd+/g, '\ufffd');
  for (let n = 0; n < 200; n += 1) {
    const bytes = randomBytes(200);
    expect(squeezed(bufferCodec.toText(bytes))).toBe(squeezed(bytes.toString('utf8')));
  }
});
