/** Where the reference and Sidelight are known to differ: by case, with the fact that is the reason. */
import type { CaseResult } from './suite/report.ts';

export interface Difference {
  /** Ids of cases; a number stands for all its letters. */
  readonly cases: readonly string[];
  /** Releases in which it is so, by their first two numbers; absent: all. */
  readonly releases?: readonly string[];
  readonly reason: string;
  /** The subscriptions of the case keep the reference from serving any other: it gets a start of its own. */
  readonly alone?: true;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    cases: ['65b', '65c', '65d', '65e'],
    alone: true,
    reason:
      'a rule that compares with a word without quotes is refused, and the app loses all its subscriptions',
  },
];

/** Whether a list of ids names a case. */
export function names(ids: readonly string[], id: string): boolean {
  return ids.some(
    (one) => one === id || (/^[0-9GVx]+\d*$/.test(one) && id.replace(/[a-z]+\d*$/, '') === one),
  );
}

/** The known reason why a case fails on a release; undefined: there is none. */
export function reasonFor(id: string, version: string): string | undefined {
  const release = version.split('.').slice(0, 2).join('.');
  return DIFFERENCES.find(({ cases, releases }) => names(cases, id) && releases?.includes(release) !== false)
    ?.reason;
}

/** Whether a case gets a start of its own on the reference. */
export function isAlone(id: string): boolean {
  return DIFFERENCES.some(({ cases, alone }) => alone === true && names(cases, id));
}

export interface Comparison {
  readonly version: string;
  readonly results: readonly CaseResult[];
  /** Configurations that were not compared, with the reason. */
  readonly skipped: readonly (readonly [configuration: string, reason: string])[];
}

/** The report as lines, and how many differences have no reason. */
export function compared(all: readonly Comparison[]): {
  readonly lines: readonly string[];
  readonly open: number;
} {
  const lines: string[] = [];
  let open = 0;
  for (const { version, results, skipped } of all) {
    const failed = results.filter(({ result }) => result === 'failed');
    const passed = results.filter(({ result }) => result === 'passed');
    const known = failed.flatMap((one) => {
      const reason = reasonFor(one.id, version);
      return reason === undefined ? [] : [{ one, reason }];
    });
    const unexplained = failed.filter(({ id }) => reasonFor(id, version) === undefined);
    open += unexplained.length;
    lines.push(
      '',
      `reference ${version}: ${passed.length} cases as here, ${known.length} differ as known, ${unexplained.length} differ without a reason`,
    );
    for (const { one, reason } of known) lines.push(`  ${one.id.padEnd(6)} ${one.title}: ${reason}`);
    for (const one of unexplained)
      lines.push(`  ${one.id.padEnd(6)} ${one.title}: NO REASON KNOWN. ${(one.reason ?? '').split('\n')[0]}`);
    const same = passed.filter(({ id }) => reasonFor(id, version) !== undefined);
    if (same.length > 0)
      lines.push(`  as here although a difference is known: ${same.map(({ id }) => id).join(', ')}`);
    for (const [configuration, reason] of skipped) lines.push(`  not compared: ${configuration}: ${reason}`);
  }
  return { lines, open };
}
