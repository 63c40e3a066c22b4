// Draws the application's icon into build/, in every size and format that the packages need; the same drawing
// as renderer/icon.svg.
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { ROOT } from './tools.ts';

/** Size of the drawing in its own units: a square of 32, y downwards, as in the SVG. */
const UNITS = 32;
const CORNER = 7;
const BLUE = [0x14, 0x63, 0xdb] as const;
const WHITE = [0xff, 0xff, 0xff] as const;
/** Three lines of a list, and a beam of light on them. */
const LINES: readonly { readonly from: number; readonly to: number; readonly y: number }[] = [
  { from: 7, to: 15, y: 10 },
  { from: 7, to: 12, y: 16 },
  { from: 7, to: 15, y: 22 },
];
const HALF_STROKE = 1.3;
const BEAM = { tip: 17, base: 25, middle: 16, spread: 7 } as const;

/** Samples per pixel and axis. */
const SAMPLES = 4;

const PNG_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256] as const;
/** Name of each size in macOS icons. */
const ICNS_NAMES: readonly (readonly [string, number])[] = [
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];

const isOnPlate = (x: number, y: number): boolean => {
  const beyond = (at: number): number => Math.max(CORNER - at, at - (UNITS - CORNER), 0);
  return Math.hypot(beyond(x), beyond(y)) <= CORNER;
};

const isOnLine = (x: number, y: number): boolean =>
  LINES.some((line) => Math.hypot(Math.max(line.from - x, x - line.to, 0), y - line.y) <= HALF_STROKE);

const isInBeam = (x: number, y: number): boolean => {
  const along = (x - BEAM.tip) / (BEAM.base - BEAM.tip);
  return along >= 0 && along <= 1 && Math.abs(y - BEAM.middle) <= BEAM.spread * along;
};

/** Red, green, blue and alpha of one pixel, each 0 to 255. */
function pixel(column: number, row: number, size: number): readonly number[] {
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const x = ((column + ((sample % SAMPLES) + 0.5) / SAMPLES) / size) * UNITS;
    const y = ((row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size) * UNITS;
    if (!isOnPlate(x, y)) continue;
    const colour = isOnLine(x, y) || isInBeam(x, y) ? WHITE : BLUE;
    red += colour[0];
    green += colour[1];
    blue += colour[2];
    covered += 1;
  }
  if (covered === 0) return [0, 0, 0, 0];
  const cover = Math.round((covered * 255) / (SAMPLES * SAMPLES));
  return [Math.round(red / covered), Math.round(green / covered), Math.round(blue / covered), cover];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A square PNG, 8 bits of red, green, blue and alpha. */
function png(size: number): Buffer {
  const rows = Buffer.alloc((size * 4 + 1) * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      rows.set(pixel(column, row, size), row * (size * 4 + 1) + 1 + column * 4);
    }
  }
  const header = Buffer.concat([uint32(size), uint32(size), Buffer.from([8, 6, 0, 0, 0])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Icon for Windows: a directory of PNGs; 256 is written as 0. */
function ico(images: ReadonlyMap<number, Buffer>): Buffer {
  const entries = ICO_SIZES.map((size) => ({ size, image: images.get(size) ?? png(size) }));
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(entries.length, 4);
  let offset = head.length;
  entries.forEach(({ size, image }, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...entries.map(({ image }) => image)]);
}

/** Icon for macOS: named PNGs one after another. */
function icns(images: ReadonlyMap<number, Buffer>): Buffer {
  const entries = ICNS_NAMES.map(([name, size]) => {
    const image = images.get(size) ?? png(size);
    return Buffer.concat([Buffer.from(name, 'latin1'), uint32(image.length + 8), image]);
  });
  const body = Buffer.concat(entries);
  return Buffer.concat([Buffer.from('icns', 'latin1'), uint32(body.length + 8), body]);
}

const images = new Map<number, Buffer>(PNG_SIZES.map((size) => [size, png(size)]));
const folder = path.join(ROOT, 'build');
fs.mkdirSync(path.join(folder, 'icons'), { recursive: true });
for (const [size, image] of images) {
  if (size <= 512) fs.writeFileSync(path.join(folder, 'icons', `${size}x${size}.png`), image);
}
fs.writeFileSync(path.join(folder, 'icon.png'), images.get(512) ?? png(512));
fs.writeFileSync(path.join(folder, 'icon.ico'), ico(images));
fs.writeFileSync(path.join(folder, 'icon.icns'), icns(images));
