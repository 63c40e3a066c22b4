/** The colour of an app, and the processes that the Apps screen follows. */
import { expect, test } from 'vitest';
import { appColour } from '../../renderer/format/app-colour.ts';

test('an app has one colour, and many apps share few', () => {
  const ids = Array.from({ length: 100 }, (_, i) => `app-${i}`);
  const colours = ids.map(appColour);
  expect(ids.map(appColour)).toEqual(colours);
  expect([...new Set(colours)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});
