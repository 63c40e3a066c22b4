/**
 * Finds the subscriptions that get a topic by its name. Thousands of topics are listed at once, and comparing each with thousands of patterns
 * would take too long.
 */
import { isTopicPattern, prefixOf } from '../../contract/topic-pattern.ts';

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
  /** By component, and by the length of the prefix. */
  readonly #patterns = new Map<string, Map<number, ByPrefix<Row>>>();

  constructor(rows: readonly Row[]) {
    for (const [at, row] of rows.entries()) {
      const { pubsubname, topic } = row;
      if (isTopicPattern(topic)) this.#addPattern(pubsubname, prefixOf(topic), { at, row });
      else listIn(this.#exact, keyOf({ pubsubname, topic })).push(row);
    }
  }

  /** The rows with the topic itself, then those whose pattern it matches, each in their order. */
  of(named: Named): readonly Row[] {
    const { pubsubname, topic } = named;
    const matching = [...(this.#patterns.get(pubsubname) ?? [])].flatMap(([length, byPrefix]) =>
      length < topic.length ? (byPrefix.get(topic.slice(0, length)) ?? []) : [],
    );
    const patterns = matching.toSorted((a, b) => a.at - b.at).map(({ row }) => row);
    return [...(this.#exact.get(keyOf(named)) ?? []), ...patterns];
  }

  #addPattern(pubsubname: string, prefix: string, added: Placed<Row>): void {
    const patterns = this.#patterns.get(pubsubname) ?? new Map<number, ByPrefix<Row>>();
    this.#patterns.set(pubsubname, patterns);
    const byPrefix: ByPrefix<Row> = patterns.get(prefix.length) ?? new Map<string, Placed<Row>[]>();
    patterns.set(prefix.length, byPrefix);
    listIn(byPrefix, prefix).push(added);
  }
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
