/**
 * A sidecar that is not ours does some things at random, and now and then its process ends. What it gives in one run and not in the
 * next says nothing about a tap: cases whose results differ are run again, both ways.
 */
import type { CaseResult } from './suite/report.ts';

const MAX_TIMES = 3;

export interface BothWays {
  readonly results: readonly CaseResult[];
  readonly tapped: readonly CaseResult[];
}

/** Ids of cases that gave one result without a tap and another one through it. */
export function differing({ results, tapped }: BothWays): readonly string[] {
  const without = new Map(results.map((one) => [keyOf(one), one.result]));
  return [...new Set(tapped.filter((one) => without.get(keyOf(one)) !== one.result).map(({ id }) => id))];
}

/**
 * A case that gives one result both ways in any run counts with that one.
 * @param run runs these cases both ways
 */
export async function compareAgain(
  first: BothWays,
  run: (ids: readonly string[]) => Promise<BothWays>,
): Promise<BothWays> {
  let both = first;
  for (let n = 0; n < MAX_TIMES; n += 1) {
    const ids = differing(both);
    if (ids.length === 0) break;
    const again = await run(ids);
    const still = differing(again);
    const agreed = new Set(ids.filter((id) => !still.includes(id)));
    both = {
      results: replaced(both.results, again.results, agreed),
      tapped: replaced(both.tapped, again.tapped, agreed),
    };
  }
  return both;
}

function replaced(
  before: readonly CaseResult[],
  now: readonly CaseResult[],
  ids: ReadonlySet<string>,
): readonly CaseResult[] {
  return before.map((one) =>
    ids.has(one.id) ? (now.find((other) => keyOf(other) === keyOf(one)) ?? one) : one,
  );
}

function keyOf({ id, configuration }: CaseResult): string {
  return `${configuration} ${id}`;
}
