/**
 * Finds keys that a mapping of a YAML document has already. The library's own check compares each key with all others, which takes seconds
 * for tens of thousands.
 */
import type { ParserError } from './yaml-complaint.ts';

interface KeyNode {
  readonly value: unknown;
  readonly range?: readonly number[] | null | undefined;
}

interface MapNode {
  readonly items: readonly { readonly key: unknown }[];
}

/** Parts of the YAML library. */
interface YamlWalk<D> {
  visit(document: D, visitor: { readonly Map: (key: unknown, map: MapNode) => void }): void;
  isScalar(node: unknown): node is KeyNode;
}

/** An error, in the parser's own words, for each key that its mapping has already, in the order of the text. */
export function repeatedKeys<D>(document: D, { visit, isScalar }: YamlWalk<D>): readonly ParserError[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        known.add(key.value);
      }
    },
  });
  return offsets
    .toSorted((a, b) => a - b)
    .map((offset) => ({ code: 'DUPLICATE_KEY', message: 'Map keys must be unique', pos: [offset, offset] }));
}
