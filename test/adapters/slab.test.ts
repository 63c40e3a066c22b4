/** Values that are kept as bytes come back as they were. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Slab } from '../../core/adapters/memory-journal/slab.ts';
import { times } from '../support/extent.ts';

/** Values of a journal: JSON, undefined members, and bytes. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(undefined, null, true, false, '', 'same', '2026-03-01T10:00:00.000Z'),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.double(),
    fc.integer(),
    fc.integer({ max: 100_000 }).map((n) => n / 1000),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__')), tie('value'), {
      maxKeys: 6,
      noNullPrototype: true,
    }),
    fc.dictionary(fc.string(), fc.integer(), { minKeys: 41, maxKeys: 60, noNullPrototype: true }),
  ),
})).value;

test('values are read unchanged, however many were written before', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (values) => {
      const slab = new Slab();
      const given = ['same'];
      const places = values.map((one) => slab.write(one, given));
      expect(places.map((at) => slab.read(at, given))).toStrictEqual(values);
    }),
    { numRuns: times(80, 500) },
  );
});

test('parts of messages are read unchanged, whatever was seen of other parts', () => {
  const parts = fc.array(fc.tuple(value, fc.nat(2)), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(parts, (values) => {
      const slab = new Slab();
      const places = values.map(([one, part]) => slab.write(one, [], part));
      expect(places.map((at) => slab.read(at, []))).toStrictEqual(values.map(([one]) => one));
    }),
  );
});

describe('a read value', () => {
  const length = (slab: Slab, one: unknown): number => {
    const at = slab.write(one, []);
    return slab.length - at;
  };

  test('texts and sets of members are written once', () => {
    const slab = new Slab();
    const row = (id: number): object => ({
      id: `id-${id}-${'x'.repeat(20)}`,
      topic: 'orders',
      state: 'processed',
    });
    // Ids turn out to be no words that come back, and are written out from then on.
    for (let id = 10; id < 20; id += 1) slab.write(row(id), []);
    const [kindAndShape, id, words] = [2, 2 + 26, 4];
    expect(length(slab, row(20))).toBe(kindAndShape + id + words);
  });

  test('an object that many messages share is the same object again', () => {
    const slab = new Slab();
    const settings = { bulk: { maxMessagesCount: 10 }, list: [1, 2] };
    const other = { bulk: { maxMessagesCount: 20 } };
    const places = [settings, other, settings, other, settings].map((one) =>
      slab.write({ settings: one }, []),
    );
    const read = places.map((at) => (slab.read(at, []) as { settings: object }).settings);
    expect(read).toStrictEqual([settings, other, settings, other, settings]);
    expect(read[2]).toBe(settings);
    expect(read[3]).toBe(other);
    expect(read[4]).toBe(settings);
  });

  test('a text that the reader supplies is not written', () => {
    const slab = new Slab();
    const body = 'y'.repeat(5000);
    const at = slab.write({ body }, [body]);
    expect(slab.read(at, [body])).toStrictEqual({ body });
    expect(slab.length - at).toBeLessThan(10);
  });
});

test('an object with very many members is written and read whole', () => {
  const slab = new Slab();
  const members = Array.from({ length: 50_000 }, (_, nth): [string, string] => [
    `key-${nth}`,
    `value-${nth}`,
  ]);
  const many = Object.fromEntries(members);
  expect(slab.read(slab.write(many, []), [])).toStrictEqual(many);
});

test('a slab accepts a long value whole, and nothing once it is full', () => {
  const slab = new Slab();
  const long = 'z'.repeat(1_000_000);
  const at = slab.write(long, []);
  expect(slab.isFull).toBe(false);
  slab.wrote();
  expect(slab.isFull).toBe(true);
  expect(slab.read(at, [])).toBe(long);
  expect(() => slab.write('more', [])).toThrow('full');
});

test('an object with very many names takes as much room as its names and values', () => {
  const slab = new Slab();
  const names = Array.from({ length: 5000 }, (_, nth) => `name-${nth}`);
  const object: object = Object.fromEntries([...names, '__proto__'].map((name) => [name, `${name}!`]));
  const before = process.memoryUsage().heapUsed;
  const at = slab.write([object, object], []);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  expect(slab.read(at, [])).toStrictEqual([object, object]);
});

test('values that JSON cannot hold are refused', () => {
  expect(() => new Slab().write({ call: () => undefined }, [])).toThrow(TypeError);
});
