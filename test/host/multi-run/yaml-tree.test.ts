/** Aliases of a file with apps: what one means is read once, and all of them together are bounded. */
import { expect, test } from 'vitest';
import { readTree } from '../../../core/host/multi-run/yaml-tree.ts';
import type { Tree } from '../../../core/host/multi-run/yaml-tree.ts';

const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

test('an alias has its own place, and its anchor is read once', () => {
  const tree = readTree('a: &a [1, 2]\nb:\n- *a\n- *a\n');
  const [first, second] = itemsOf(tree.kind === 'map' ? tree.entries[1]?.value : undefined);
  expect([first?.line, second?.line]).toEqual([3, 4]);
  expect(itemsOf(first)).toHaveLength(2);
  expect(itemsOf(first)).toBe(itemsOf(second));
});

test.each([
  ['inside of what it means', 'a: &a\n- *a\n'],
  ['101 of one list', `a: &a [1]\nb: [${'*a, '.repeat(101)}]\n`],
  ['aliases of lists of aliases', `a: &a [1]\nb: &b [${'*a, '.repeat(10)}]\nc: [${'*b, '.repeat(10)}]\n`],
])('aliases beyond the limit of 100 are refused: %s', (_what, text) => {
  expect(() => readTree(text)).toThrow('the file has more than 100 aliases');
});
