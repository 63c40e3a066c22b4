/** Callers of the last publishes, with masked keys. */
import { expect, test } from 'vitest';
import { Callers } from '../../core/runtime/publishing/callers.ts';

test('a caller has address and headers, with the values of keys masked', () => {
  const callers = new Callers();
  callers.note('m', {
    address: '127.0.0.1:4711',
    headers: {
      'user-agent': 'curl',
      authorization: 'Bearer s',
      'sidecar-api-token': 't',
      'x-list': ['a', 'b'],
      gone: undefined,
    },
    entryId: 'e1',
  });
  expect(callers.of('m')).toEqual({
    address: '127.0.0.1:4711',
    entryId: 'e1',
    headers: { 'user-agent': 'curl', authorization: '***', 'sidecar-api-token': '***', 'x-list': 'a, b' },
  });
  expect(callers.of('other')).toBeUndefined();
});

test('beyond 2,000 callers the oldest are forgotten', () => {
  const callers = new Callers();
  for (let n = 0; n <= 2000; n += 1) callers.note(`m${n}`, { address: `a:${n}`, headers: {} });
  expect(callers.of('m0')).toBeUndefined();
  expect(callers.of('m1')?.address).toBe('a:1');
  expect(callers.of('m2000')?.address).toBe('a:2000');
  for (let n = 2001; n <= 6000; n += 1) callers.note(`m${n}`, { address: `a:${n}`, headers: {} });
  expect(callers.of('m4000')).toBeUndefined();
  expect(callers.of('m4001')?.address).toBe('a:4001');
});

/** A thousand short headers: a request may have that many. */
const many = (n: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`h${n * 1000 + at}`, 'v']));

test('callers whose headers take more than 16 MiB of memory together are forgotten, the oldest first', () => {
  const callers = new Callers();
  const known = (upTo: number): number[] =>
    Array.from({ length: upTo }, (_, n) => n).filter((n) => callers.of(`m${n}`) !== undefined);
  for (let n = 0; n < 150; n += 1) callers.note(`m${n}`, { address: 'a', headers: many(n) });
  const kept = known(150);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length).toBeLessThan(150);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => 150 - kept.length + n));
  // Short headers take their places one by one, over the end of the ring too.
  for (let n = 150; n < 2250; n += 1) callers.note(`m${n}`, { address: 'a', headers: { short: 'v' } });
  expect(known(2250)).toHaveLength(2000);
  expect(callers.of('m250')).toBeDefined();
});

test('headers that the entries of a bulk request share count once', () => {
  const callers = new Callers();
  const headers = many(1);
  for (let n = 0; n < 2000; n += 1) callers.note(`m${n}`, { address: 'a', headers, entryId: `${n}` });
  expect(callers.of('m0')).toMatchObject({ address: 'a', entryId: '0' });
});

test('ids of bulk entries count like headers', () => {
  const callers = new Callers();
  const headers = { short: 'v' };
  const long = 'x'.repeat(1_000_000);
  for (let n = 0; n < 50; n += 1) callers.note(`m${n}`, { address: 'a', headers, entryId: `${n}${long}` });
  const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => callers.of(`m${n}`) !== undefined);
  expect(kept.length).toBeGreaterThan(4);
  expect(kept.length).toBeLessThan(17);
  expect(kept.at(-1)).toBe(49);
});
