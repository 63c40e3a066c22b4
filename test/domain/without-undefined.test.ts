// Objects without the members that have no value.
import { expect, test } from 'vitest';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';

test('members without a value are not there; all others stay in their order, also null, "" and 0', () => {
  const made = withoutUndefined({ z: null, a: undefined, m: '', b: 0, c: false });
  expect(Object.entries(made)).toEqual([
    ['z', null],
    ['m', ''],
    ['b', 0],
    ['c', false],
  ]);
  expect('a' in { a: 1, ...made }).toBe(true);
  expect({ a: 1, ...made }.a).toBe(1);
});
