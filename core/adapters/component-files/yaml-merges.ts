/** Counts what the merges (`<<`) of a document repeat, before the document is turned into values. */
import type { Document, Pair } from 'yaml';
import { yaml } from './yaml-library.ts';

/**
 * How many members and elements the merges of a document repeat, those of inner lists and mappings included. Each node is
 * counted once, however many times it is repeated.
 */
export function mergedMembers(document: Document.Parsed): number {
  const { merged, meant } = mergesOf(document);
  const within = remembered((node) => {
    if (yaml().isMap(node)) return sum(node.items, ofPair);
    return yaml().isSeq(node) ? sum(node.items, (item) => 1 + within(item)) : 0;
  });
  /** What a merge of this value repeats: the value that an alias means, and all values of a list. */
  const repeated = remembered((value) => {
    if (yaml().isAlias(value)) return repeated(meant.get(value));
    return yaml().isSeq(value) ? sum(value.items, repeated) : within(value);
  });
  const ofPair = ({ key, value }: Pair): number => (isMerge(key) ? repeated(value) : 1 + within(value));
  return sum(merged, repeated);
}

function sum<T>(all: readonly T[], count: (one: T) => number): number {
  return all.reduce((total, one) => total + count(one), 0);
}

/** The function with a memory. A node inside of itself adds nothing, because the library refuses to merge it. */
function remembered(count: (node: unknown) => number): (node: unknown) => number {
  const counts = new Map<unknown, number>();
  return (node) => {
    const known = counts.get(node);
    if (known !== undefined) return known;
    counts.set(node, 0);
    const found = count(node);
    counts.set(node, found);
    return found;
  };
}

/** Values that are merged into a mapping, and the node that each alias means. */
interface Merges {
  readonly merged: readonly unknown[];
  readonly meant: ReadonlyMap<unknown, unknown>;
}

function mergesOf(document: Document.Parsed): Merges {
  const anchors = new Map<string, unknown>();
  const meant = new Map<unknown, unknown>();
  const merged: unknown[] = [];
  yaml().visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_key, alias) => {
      meant.set(alias, anchors.get(alias.source));
    },
    Pair: (_key, { key, value }) => {
      if (isMerge(key)) merged.push(value);
    },
  });
  return { merged, meant };
}

/** Whether a key merges. One with the tag `!!merge` does so whatever it is named, and has a symbol as its value. */
function isMerge(key: unknown): boolean {
  return yaml().isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol');
}
