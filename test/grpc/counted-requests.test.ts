/** Requests of a gRPC call are read as the library reads them, however they are cut, and count while they are in memory. */
import { deflateSync, gzipSync } from 'node:zlib';
import { Metadata } from '@grpc/grpc-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountedRequests, readCounted, RequestRoom } from '../../core/grpc-protocol/counted-requests.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { CountedBodies } from '../support/counted-bodies.ts';

interface Made {
  readonly requests: CountedRequests;
  readonly bodies: CountedBodies;
  readonly said: string[];
}

function made(room = 1_000_000, most = 100_000): Made {
  const bodies = new CountedBodies(room);
  const said: string[] = [];
  const requests = new CountedRequests({
    room: new RequestRoom(bodies, most),
    onNoRoom: (reason) => said.push(reason),
    onTooLarge: (reason) => said.push(reason),
  });
  return { requests, bodies, said };
}

function metadata(values: Readonly<Record<string, string>>): Metadata {
  const made = new Metadata();
  for (const [key, value] of Object.entries(values)) made.set(key, value);
  return made;
}

test('messages come out as they went in, whatever the pieces are, and give back what they took', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }),
      (contents, cuts) => {
        const { requests, bodies } = made();
        const all = Buffer.concat(contents.map((one) => framed(Buffer.from(one))));
        const got: Buffer[] = [];
        for (let at = 0, n = 0; at < all.length; n += 1) {
          const bytes = cuts[n % cuts.length] ?? 1;
          got.push(...requests.write(all.subarray(at, at + bytes)));
          at += bytes;
        }
        expect(got.map((one) => requests.content(one, 'identity'))).toEqual(
          contents.map((one) => Buffer.from(one)),
        );
        for (const _ of got) requests.handedOver(false);
        expect(bodies.bytes).toBe(0);
        requests.end();
        expect([bodies.bytes, bodies.least]).toEqual([0, 0]);
      },
    ),
  );
});

test('a message in pieces of one byte takes a few buffers', () => {
  const { requests } = made();
  const all = framed(Buffer.alloc(50_000, 'x'));
  const pieces = new Set<ArrayBufferLike>();
  const concat = Buffer.concat;
  let most = 0;
  Buffer.concat = (list, length) => {
    most = Math.max(most, list.length);
    return Reflect.apply(concat, Buffer, [list, length]);
  };
  try {
    for (const byte of all) for (const one of requests.write(Buffer.from([byte]))) pieces.add(one.buffer);
  } finally {
    Buffer.concat = concat;
  }
  expect(pieces.size).toBe(1);
  expect(most).toBeLessThan(1000);
});

test('a message over the limit is refused in the words of the library, before any of it is kept', () => {
  const { requests, bodies } = made();
  expect(() => requests.write(framed(Buffer.alloc(100_001)))).toThrow(
    'Received message larger than max (100001 vs 100000)',
  );
  // The rest of the message, and a whole one behind it, are passed over.
  expect(requests.write(Buffer.alloc(100_001))).toEqual([]);
  expect(requests.write(framed(Buffer.alloc(10)))).toEqual([]);
  expect(bodies.bytes).toBe(0);
});

test('what finds no room is refused with the limit, and takes none', () => {
  const { requests, bodies, said } = made(10_000);
  expect(requests.begin(metadata({ key: 'value' }))).toBeUndefined();
  expect(() => requests.write(framed(Buffer.alloc(5000)).subarray(0, 2500))).toThrow(
    'the limit of 10,000 bytes',
  );
  expect(said).toEqual([expect.stringContaining('the limit of 10,000 bytes')]);
  expect(bodies.bytes).toBe(0);
  expect(made(1000).requests.begin(metadata({}))).toContain('the limit of 1,000 bytes');
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
])('a message in %s is read, counted, and refused where it becomes too long', async (encoding, zip) => {
  const { requests, bodies, said } = made();
  const content = async (bytes: Buffer, name: string): Promise<Buffer> => {
    const message = framed(bytes);
    message[0] = 1;
    const [whole = Buffer.alloc(0)] = requests.write(message);
    return requests.content(whole, name);
  };
  expect(await content(zip(Buffer.alloc(50_000, 'y')), encoding)).toEqual(Buffer.alloc(50_000, 'y'));
  expect(bodies.bytes).toBeGreaterThan(50_000);
  await expect(content(zip(Buffer.alloc(100_001)), encoding)).rejects.toMatchObject({
    code: 8,
    details: 'Received message that decompresses to a size larger than 100000',
  });
  expect(said).toEqual(['Received message that decompresses to a size larger than 100000']);
  await expect(content(Buffer.from('no zip'), encoding)).rejects.toMatchObject({ code: 13 });
  await expect(content(zip(Buffer.from('cut')).subarray(0, -9), encoding)).rejects.toMatchObject({
    code: 13,
  });
  await expect(content(Buffer.from('x'), 'snappy')).rejects.toMatchObject({ code: 12 });
  requests.end();
  expect(bodies.bytes).toBe(0);
});

test('a message that finds no room while it is decompressed is refused with the limit', async () => {
  const { requests, bodies, said } = made(30_000);
  const message = framed(gzipSync(Buffer.alloc(90_000)));
  message[0] = 1;
  const [whole = Buffer.alloc(0)] = requests.write(message);
  await expect(requests.content(whole, 'gzip')).rejects.toMatchObject({
    code: 8,
    details: expect.stringContaining('the limit of 30,000 bytes') as unknown,
  });
  expect(said).toHaveLength(1);
  expect(bodies.bytes).toBe(0);
});

test('a call of a library that reads otherwise is refused instead of being read without bounds', () => {
  expect(() => readCounted({ decoder: {} }, made().requests)).toThrow(
    'reads the requests of a call in another way',
  );
});
