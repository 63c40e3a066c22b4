/**
 * Parses a YAML text into a tree in which every value knows its position and its written form. The version is
 * YAML 1.1, as in the reference.
 */
import type { Document, Node, Pair } from 'yaml';
import { exceededBy, YAML_LIMITS } from '../../adapters/component-files/yaml-limits.ts';
import { yaml } from '../../adapters/component-files/yaml-library.ts';

/** Position in the text, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Entry {
  readonly key: string;
  /** Position of the key. */
  readonly at: Position;
  readonly value: Tree;
}

export type Tree = Position &
  (
    | { readonly kind: 'map'; readonly entries: readonly Entry[] }
    | { readonly kind: 'list'; readonly items: readonly Tree[] }
    /** A scalar. `text`: its written form. `value`: the value that YAML gives it. */
    | { readonly kind: 'text' | 'number' | 'boolean'; readonly text: string; readonly value: unknown }
    | { readonly kind: 'null' }
  );

/** Error that stops the reading. */
export class YamlMistake extends Error {
  readonly at: Position;

  constructor(at: Position, message: string) {
    super(message);
    this.at = at;
  }
}

const START: Position = { line: 1, column: 1 };

/** The first document of the text; an empty one is `null`. Throws YamlMistake. */
export function readTree(text: string): Tree {
  const exceeded = exceededBy(text);
  if (exceeded !== undefined) {
    const before = text.slice(0, exceeded.offset).split('\n');
    const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new YamlMistake(at, exceeded.message);
  }
  const counter = new (yaml().LineCounter)();
  const [document] = yaml().parseAllDocuments(text.replace(/^\uFEFF/, ''), {
    version: '1.1',
    lineCounter: counter,
    prettyErrors: false,
    // A key may be repeated: its last value counts.
    uniqueKeys: false,
  });
  if (document === undefined || !('contents' in document)) return { kind: 'null', ...START };
  const positionOf = (offset: number | undefined): Position => {
    if (offset === undefined) return START;
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [mistake] = document.errors;
  if (mistake !== undefined)
    throw new YamlMistake(positionOf(mistake.pos[0]), `YAML: ${mistake.message.split('\n')[0] ?? ''}`);
  const reader = new Reader(document, positionOf);
  return reader.read(document.contents, START);
}

class Reader {
  readonly #document: Document.Parsed;
  readonly #positionOf: (offset: number | undefined) => Position;
  #aliases = 0;
  /**
   * Values of aliases, read once, with the aliases inside them, because a walk through the tree visits them
   * each time.
   */
  readonly #meant = new Map<Node, { readonly tree: Tree; readonly aliases: number }>();

  constructor(document: Document.Parsed, positionOf: (offset: number | undefined) => Position) {
    this.#document = document;
    this.#positionOf = positionOf;
  }

  /**
   * Reads a node.
   * @param around position of its parent, for a node without a position of its own
   */
  read(node: Node | null, around: Position): Tree {
    if (node === null) return { kind: 'null', ...around };
    const at = node.range ? this.#positionOf(node.range[0]) : around;
    if (yaml().isAlias(node)) {
      const meant = node.resolve(this.#document);
      if (meant === undefined) throw new YamlMistake(at, `YAML: there is no anchor &${node.source}`);
      return { ...this.#meantBy(meant, at), ...at };
    }
    if (yaml().isMap(node)) return { kind: 'map', ...at, entries: this.#entries(node.items, at) };
    if (yaml().isSeq(node))
      return { kind: 'list', ...at, items: node.items.map((item) => this.read(asNode(item), at)) };
    if (!yaml().isScalar(node)) return { kind: 'null', ...at };
    return { ...scalarOf(node.value, node.source ?? ''), ...at };
  }

  #meantBy(node: Node, at: Position): Tree {
    const known = this.#meant.get(node);
    this.#aliases += 1 + (known?.aliases ?? 0);
    if (this.#aliases > YAML_LIMITS.aliases)
      throw new YamlMistake(at, `YAML: the file has more than ${YAML_LIMITS.aliases} aliases`);
    if (known !== undefined) return known.tree;
    const before = this.#aliases;
    const tree = this.read(node, at);
    this.#meant.set(node, { tree, aliases: this.#aliases - before });
    return tree;
  }

  /**
   * Entries of a mapping in order, each key once. The entries of `<<` count only for keys that the mapping
   * does not have.
   */
  #entries(pairs: readonly Pair[], at: Position): readonly Entry[] {
    const merged = new Map<string, Entry>();
    const own = new Map<string, Entry>();
    for (const pair of pairs) {
      const keyNode = asNode(pair.key);
      const key = yaml().isScalar(keyNode) ? keyNode.value : undefined;
      const position = keyNode?.range ? this.#positionOf(keyNode.range[0]) : at;
      const value = this.read(asNode(pair.value), position);
      const isMerge = key === '<<' || typeof key === 'symbol';
      if (isMerge) {
        for (const one of value.kind === 'list' ? value.items : [value])
          if (one.kind === 'map')
            for (const entry of one.entries) if (!merged.has(entry.key)) merged.set(entry.key, entry);
        continue;
      }
      const written = yaml().isScalar(keyNode) ? (keyNode.source ?? String(keyNode.value)) : '';
      own.set(written, { key: written, at: position, value });
    }
    return [...own.values(), ...[...merged.values()].filter((entry) => !own.has(entry.key))];
  }
}

function asNode(value: unknown): Node | null {
  return yaml().isNode(value) ? value : null;
}

function scalarOf(
  value: unknown,
  source: string,
):
  | { readonly kind: 'text' | 'number' | 'boolean'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'null' } {
  if (value === null || value === undefined) return { kind: 'null' };
  // Dates and other types of YAML 1.1 are read as text in their written form, and so is a number where a text
  // is expected.
  const text = typeof value === 'string' ? value : source;
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text, value };
  if (typeof value === 'boolean') return { kind: 'boolean', text, value };
  return { kind: 'text', text, value: text };
}
