/**
 * Parses a YAML text into a tree in which every value knows its position and its written form. The version is
 * YAML 1.1, as in the reference.
 */
import type { Document, Node, Pair } from 'yaml';
import { exceededBy, YAML_LIMITS } from '../../adapters/component-files/yaml-limits.ts';
import { yaml } from '../../adapters/component-files/yaml-library.ts';
import { STRAY_ALIAS, yamlComplaints } from '../../domain/yaml-complaint.ts';

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

export type Tree = Position & {
  /** Other values of the file may repeat this one. */
  readonly hasAnchor?: true;
} & (
    | { readonly kind: 'map'; readonly entries: readonly Entry[] }
    | { readonly kind: 'list'; readonly items: readonly Tree[] }
    /** A scalar. `text`: its written form. `value`: the value that YAML gives it. */
    | { readonly kind: 'text' | 'number' | 'boolean'; readonly text: string; readonly value: unknown }
    | { readonly kind: 'null' }
  );

/** A key that one mapping has twice. */
export interface RepeatedKey {
  readonly key: string;
  /** Position of the one that counts. */
  readonly at: Position;
  /** Position of the one before it. */
  readonly before: Position;
}

/** Error that stops the reading. */
export class YamlMistake extends Error {
  readonly at: Position;
  /** Mistakes of the text behind this one. */
  readonly more: readonly YamlMistake[];

  constructor(at: Position, message: string, more: readonly YamlMistake[] = []) {
    super(message);
    this.at = at;
    this.more = more;
  }
}

/** Maximum number of mistakes of the text that are named. */
const MAX_MISTAKES = 20;

const START: Position = { line: 1, column: 1 };

/** Callbacks for parts of a text without effect. */
export interface WithoutEffect {
  /** Called with each key that its mapping has twice. */
  readonly onRepeated?: (key: RepeatedKey) => void;
  /** Called with the position of the second document, if it has content. */
  readonly onSecond?: (at: Position) => void;
}

/** The first document of the text; an empty one is `null`. Throws YamlMistake. */
export function readTree(given: string, { onRepeated, onSecond }: WithoutEffect = {}): Tree {
  const text = given.replace(/^\uFEFF/, '');
  const exceeded = exceededBy(text);
  if (exceeded !== undefined) {
    const before = text.slice(0, exceeded.offset).split('\n');
    const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new YamlMistake(at, exceeded.message);
  }
  const counter = new (yaml().LineCounter)();
  const [document, second] = yaml().parseAllDocuments(text, {
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
  const [mistake, ...further] = yamlComplaints(text, document.errors).slice(0, MAX_MISTAKES);
  if (mistake !== undefined) {
    const others = further.map(({ offset, message }) => new YamlMistake(positionOf(offset), message));
    throw new YamlMistake(positionOf(mistake.offset), mistake.message, others);
  }
  const more = second !== undefined && 'contents' in second ? second.contents : null;
  const isEmpty = more === null || (yaml().isScalar(more) && more.value === null);
  if (!isEmpty) onSecond?.(positionOf(more.range?.[0]));
  const reader = new Reader(document, positionOf, onRepeated ?? (() => undefined));
  return reader.read(document.contents, START);
}

class Reader {
  readonly #document: Document.Parsed;
  readonly #positionOf: (offset: number | undefined) => Position;
  readonly #onRepeated: (key: RepeatedKey) => void;
  #aliases = 0;
  /**
   * Values of aliases, read once, with the aliases inside them, because a walk through the tree visits them
   * each time.
   */
  readonly #meant = new Map<Node, { readonly tree: Tree; readonly aliases: number }>();

  constructor(
    document: Document.Parsed,
    positionOf: (offset: number | undefined) => Position,
    onRepeated: (key: RepeatedKey) => void,
  ) {
    this.#document = document;
    this.#positionOf = positionOf;
    this.#onRepeated = onRepeated;
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
      if (meant === undefined) throw new YamlMistake(at, STRAY_ALIAS);
      return { ...this.#meantBy(meant, at), ...at };
    }
    const own: Position & { readonly hasAnchor?: true } =
      node.anchor === undefined ? at : { ...at, hasAnchor: true };
    if (yaml().isMap(node)) return { kind: 'map', ...own, entries: this.#entries(node.items, at) };
    if (yaml().isSeq(node))
      return { kind: 'list', ...own, items: node.items.map((item) => this.read(asNode(item), at)) };
    if (!yaml().isScalar(node)) return { kind: 'null', ...own };
    return { ...scalarOf(node.value, node.source ?? ''), ...own };
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
      const position = keyNode?.range ? this.#positionOf(keyNode.range[0]) : at;
      const value = this.read(asNode(pair.value), position);
      if (yaml().isScalar(keyNode) && (keyNode.value === '<<' || typeof keyNode.value === 'symbol')) {
        for (const entry of mergedInto(value)) if (!merged.has(entry.key)) merged.set(entry.key, entry);
        continue;
      }
      const key = this.#keyOf(keyNode, position);
      const before = own.get(key);
      if (before !== undefined) this.#onRepeated({ key, at: position, before: before.at });
      own.set(key, { key, at: position, value });
    }
    return [...own.values(), ...[...merged.values()].filter((entry) => !own.has(entry.key))];
  }

  /** The written form of a key. Throws YamlMistake for a mapping or a list. */
  #keyOf(node: Node | null, at: Position): string {
    if (yaml().isScalar(node)) return node.source ?? String(node.value);
    const tree = this.read(node, at);
    if (tree.kind === 'map' || tree.kind === 'list')
      throw new YamlMistake(
        at,
        `YAML: a key must be a text; it is a ${tree.kind === 'map' ? 'mapping' : 'list'}`,
      );
    return tree.kind === 'null' ? '' : tree.text;
  }
}

/** The entries that `<<` adds to a mapping. Throws YamlMistake if its value is no mapping. */
function mergedInto(value: Tree): readonly Entry[] {
  return (value.kind === 'list' ? value.items : [value]).flatMap((one) => {
    if (one.kind === 'map') return one.entries;
    throw new YamlMistake(one, 'YAML: << takes a mapping, or a list of mappings');
  });
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
