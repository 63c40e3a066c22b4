// Pictures of screens in 256 colours: a quarter of the bytes, and no difference to the eye.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
/** Bits of each channel that tell two colours apart while they are counted. */
const KEPT_BITS = 6;
const DROPPED = 8 - KEPT_BITS;
/** Squared distances of colours that are worth a place of their own, in turn. */
const APART: readonly number[] = [900, 300, 100, 0];

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes each. */
  readonly rgb: Uint8Array;
}

/**
 * Gives a picture that looks equal and has a palette.
 * @throws Error for anything but 8 bits of RGB or RGBA without interlacing, which is what browsers write
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPng(png);
  const { palette, indexes } = quantize(rgb);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const pieces = [
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...pieces]);
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function readPng(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const data: Buffer[] = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      const [bits, type, , , interlaced] = body.subarray(8);
      channels = type === 2 ? 3 : type === 6 ? 4 : 0;
      if (bits !== 8 || channels === 0 || interlaced !== 0) throw new Error('a PNG of another kind');
    }
    if (name === 'IDAT') data.push(body);
    at += length + 12;
  }
  return { width, height, rgb: unfilter(inflateSync(Buffer.concat(data)), width, height, channels) };
}

function unfilter(raw: Buffer, width: number, height: number, channels: number): Uint8Array {
  const line = width * channels;
  const rgb = new Uint8Array(width * height * 3);
  let before = new Uint8Array(line);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)] ?? 0;
    const row = Uint8Array.from(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)));
    for (let x = 0; x < line; x += 1) {
      const left = x < channels ? 0 : (row[x - channels] ?? 0);
      const up = before[x] ?? 0;
      const corner = x < channels ? 0 : (before[x - channels] ?? 0);
      row[x] = (row[x] ?? 0) + predicted(filter, left, up, corner);
    }
    for (let x = 0; x < width; x += 1) {
      rgb.set(row.subarray(x * channels, x * channels + 3), (y * width + x) * 3);
    }
    before = row;
  }
  return rgb;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Colours apart from each other first: a rare one, the text of a chip, counts more than a shade between two common ones. */
function choose(byCount: readonly number[]): readonly number[] {
  const chosen: number[] = [];
  for (const apart of APART) {
    for (const colour of byCount) {
      if (chosen.length === MAX_COLOURS) return chosen;
      if (chosen.every((other) => distance(colour, other) > apart)) chosen.push(colour);
    }
  }
  return chosen;
}

/** Squared, over the three channels. */
function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, bits) => {
    const apart = ((one >> bits) & 255) - ((other >> bits) & 255);
    return sum + apart * apart;
  }, 0);
}

/** The commonest colours as they are, every other one as the nearest of them. */
function quantize(rgb: Uint8Array): { readonly palette: Buffer; readonly indexes: Uint8Array } {
  const counts = new Map<number, number>();
  const exact = new Map<number, number>();
  const keys = new Uint32Array(rgb.length / 3);
  for (let i = 0; i < keys.length; i += 1) {
    const [r = 0, g = 0, b = 0] = rgb.subarray(i * 3, i * 3 + 3);
    const key = ((r >> DROPPED) << (2 * KEPT_BITS)) | ((g >> DROPPED) << KEPT_BITS) | (b >> DROPPED);
    keys[i] = key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!exact.has(key)) exact.set(key, (r << 16) | (g << 8) | b);
  }
  const byCount = [...counts].toSorted((a, b) => b[1] - a[1]).map(([key]) => exact.get(key) ?? 0);
  const chosen = choose(byCount);
  const nearest = new Map<number, number>();
  for (const [key, colour] of exact) nearest.set(key, nearestOf(colour, chosen));
  const palette = Buffer.alloc(chosen.length * 3);
  chosen.forEach((colour, i) => palette.writeUIntBE(colour, i * 3, 3));
  return { palette, indexes: Uint8Array.from(keys, (key) => nearest.get(key) ?? 0) };
}

function nearestOf(colour: number, chosen: readonly number[]): number {
  let best = 0;
  let least = Infinity;
  chosen.forEach((other, index) => {
    const far = distance(colour, other);
    if (far < least) {
      least = far;
      best = index;
    }
  });
  return best;
}
