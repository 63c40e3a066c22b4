/** The colour of an app, and the processes that the Apps screen follows. */
import { expect, test } from 'vitest';
import { appColour } from '../../renderer/format/app-colour.ts';

test('each of a few apps has a colour that no other has, whatever its name and however many instances it has', () => {
  const ids = ['app-0', 'app-0', 'app-6', 'shop', 'billing', 'mail', 'audit'];
  expect(ids.map((id) => appColour(id, ids))).toEqual([0, 0, 1, 2, 3, 4, 5]);
});

test('an app has one colour, and many apps share few', () => {
  const ids = Array.from({ length: 100 }, (_, i) => `app-${i}`);
  const colours = ids.map((id) => appColour(id, []));
  expect(ids.map((id) => appColour(id, []))).toEqual(colours);
  expect([...new Set(colours)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});
