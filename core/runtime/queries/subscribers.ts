/**
 * Finds the subscriptions that get a topic by its name. Thousands of topics are listed at once, and comparing each with thousands of patterns
 * would take too long.
 */
import { isTopicPattern, prefixOf } from '../../contract/topic-pattern.ts';
import { firstAtLeast } from '../../domain/sorted-names.ts';

interface Named {
  readonly pubsubname: string;
  readonly topic: string;
}

/** The row of a pattern, and its place among all rows. */
interface Placed<Row> {
  readonly at: number;
  readonly row: Row;
}

/** Rows of patterns by the prefix before `*`. */
type ByPrefix<Row> = Map<string, Placed<Row>[]>;

export class Subscribers<Row extends Named> {
  readonly #exact = new Map<string, Row[]>();
  /** By component. */
  readonly #patterns = new Map<string, SortedPatterns<Row>>();

  constructor(rows: readonly Row[]) {
    const patterns = new Map<string, ByPrefix<Row>>();
    for (const [at, row] of rows.entries()) {
      const { pubsubname, topic } = row;
      if (!isTopicPattern(topic)) listIn(this.#exact, keyOf({ pubsubname, topic })).push(row);
      else {
        const byPrefix = patterns.get(pubsubname) ?? new Map<string, Placed<Row>[]>();
        patterns.set(pubsubname, byPrefix);
        listIn(byPrefix, prefixOf(topic)).push({ at, row });
      }
    }
    for (const [pubsubname, byPrefix] of patterns)
      this.#patterns.set(pubsubname, new SortedPatterns(byPrefix));
  }

  /** The rows with the topic itself, then those whose pattern it matches, each in their order. */
  of(named: Named): readonly Row[] {
    const patterns = this.#patterns.get(named.pubsubname)?.of(named.topic) ?? [];
    return [...(this.#exact.get(keyOf(named)) ?? []), ...patterns];
  }
}

/** The patterns of one component, by their prefixes in order: whatever stands between a prefix and a topic that has it begins with it too. */
class SortedPatterns<Row> {
  readonly #byPrefix: ByPrefix<Row>;
  readonly #prefixes: readonly string[];
  /** Place of the longest other prefix with which each begins; -1: none. */
  readonly #within: readonly number[];
  /** The rows of a prefix and of all others with which it begins. Many topics have the same. */
  readonly #known = new Map<number, readonly Row[]>();

  constructor(byPrefix: ByPrefix<Row>) {
    this.#byPrefix = byPrefix;
    this.#prefixes = [...byPrefix.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    const within: number[] = [];
    for (const [at, prefix] of this.#prefixes.entries()) {
      let other = at - 1;
      while (other !== -1 && !prefix.startsWith(this.#prefixes[other] ?? '')) other = within[other] ?? -1;
      within.push(other);
    }
    this.#within = within;
  }

  /** The rows whose prefix the topic has and goes on behind, in their order. */
  of(topic: string): readonly Row[] {
    let at = firstAtLeast(this.#prefixes, topic) - 1;
    const same = sameLength(this.#prefixes[at] ?? '', topic);
    while (at !== -1 && (this.#prefixes[at]?.length ?? 0) > same) at = this.#within[at] ?? -1;
    const known = this.#known.get(at);
    if (known !== undefined) return known;
    const placed: Placed<Row>[] = [];
    for (let each = at; each !== -1; each = this.#within[each] ?? -1)
      for (const one of this.#byPrefix.get(this.#prefixes[each] ?? '') ?? []) placed.push(one);
    const rows = placed.toSorted((a, b) => a.at - b.at).map(({ row }) => row);
    this.#known.set(at, rows);
    return rows;
  }
}

/** Number of characters that two texts have in common at their beginning. */
function sameLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: Item[] = [];
  lists.set(key, list);
  return list;
}

function keyOf({ pubsubname, topic }: Named): string {
  return JSON.stringify([pubsubname, topic]);
}
