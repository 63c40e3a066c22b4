// A body that comes in very small pieces takes memory for its bytes, not for its pieces.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsMore, Pieces } from '../../core/domain/pieces.ts';

const pieces = (): Pieces<Buffer> => new Pieces((all) => Buffer.concat(all));

test('property: the whole is all pieces in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 300 }), (parts) => {
      const all = pieces();
      for (const part of parts) all.add(Buffer.from(part));
      expect(all.whole()).toEqual(Buffer.concat(parts));
      all.clear();
      expect(all.whole()).toHaveLength(0);
    }),
    { numRuns: 50 },
  );
});

test('a hundred thousand pieces of one byte are a few thousand', () => {
  const all = pieces();
  for (let nth = 0; nth < 100_000; nth += 1) all.add(Buffer.from([nth % 256]));
  expect(all.all.length).toBeLessThan(2000);
  expect(all.length).toBe(100_000);
  expect(all.whole()).toHaveLength(100_000);
});

test('a small part of a buffer keeps more than itself, half of one and all of one do not', () => {
  const whole = new Uint8Array(100);
  expect([49, 50, 100].map((bytes) => keepsMore(whole.subarray(0, bytes)))).toEqual([true, false, false]);
});
