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
