/** The selection after a row is added with Ctrl and a click while another one is open. */
import { expect, test } from 'vitest';
import { selectionAfter } from '../../renderer/state/selection.ts';

const NONE = { selected: new Set<string>(), allSelected: false };
const idsAfter = (before: typeof NONE, messageId: string, opened?: string): readonly string[] => [
  ...selectionAfter({ kind: 'add', messageId, opened }, before).selected,
];

test('the open row is selected too where nothing was, as in every list', () => {
  expect(idsAfter(NONE, 'b', 'a')).toEqual(['a', 'b']);
  expect(idsAfter(NONE, 'b')).toEqual(['b']);
});

test('the open row itself, or a further row, changes as it does with its box', () => {
  expect(idsAfter(NONE, 'a', 'a')).toEqual(['a']);
  expect(idsAfter({ ...NONE, selected: new Set(['c']) }, 'b', 'a')).toEqual(['c', 'b']);
  expect(idsAfter({ ...NONE, selected: new Set(['a', 'b']) }, 'b', 'a')).toEqual(['a']);
});
