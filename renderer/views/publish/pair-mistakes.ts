/** Mistakes in rows of key and value. */
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import type { Pair } from '../../state/publish-drafts.ts';

export interface PairMistake {
  readonly key?: string;
  readonly value?: string;
}

/** Mistakes by the id of their row. */
export type PairMistakes = ReadonlyMap<number, PairMistake>;

export interface PairRules {
  /** Keys that have a field of their own. */
  readonly named?: readonly string[];
  /** The mistake of a key by itself. */
  readonly oddKey?: (key: string) => string | undefined;
  /** The mistake of the value of a key. */
  readonly oddValue?: (pair: Pair) => string | undefined;
}

/** Finds rows with a value and no key, keys that occur twice, and what the rules name. A row without both is none. */
export function pairMistakes(pairs: readonly Pair[], rules: PairRules = {}): PairMistakes {
  const { named = [], oddKey, oddValue } = rules;
  const seen = new Set<string>(named);
  const found = new Map<number, PairMistake>();
  for (const pair of pairs) {
    const { id, key, value } = pair;
    if (key === '') {
      if (value !== '') found.set(id, { key: PUBLISH.noKey });
      continue;
    }
    const wrongKey = seen.has(key) ? fill(PUBLISH.twice, { key }) : oddKey?.(key);
    const wrongValue = oddValue?.(pair);
    if (wrongKey !== undefined) found.set(id, { key: wrongKey });
    else if (wrongValue !== undefined) found.set(id, { value: wrongValue });
    seen.add(key);
  }
  return found;
}

/** The first mistake in words; undefined: there is none. */
export function firstMistake(mistakes: PairMistakes): string | undefined {
  const [first] = mistakes.values();
  return first?.key ?? first?.value;
}
