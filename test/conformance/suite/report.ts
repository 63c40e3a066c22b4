/** Results of a run as a table and as JSON. */
import type { Basis } from './case.ts';
import type { ProfileName } from './names.ts';

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly basis: Basis | '-';
  readonly rows: readonly string[];
  readonly configuration: string;
  readonly profile: ProfileName;
  readonly result: 'passed' | 'failed' | 'not reachable' | 'not run';
  readonly ms: number;
  readonly reason?: string;
  /** Name of the spoil; such a result has to be `failed`. */
  readonly spoil?: string;
}

export interface Report {
  readonly startedAt: string;
  readonly target: string;
  readonly totals: Readonly<Record<CaseResult['result'], number>>;
  readonly cases: readonly CaseResult[];
}

/** Everything in one object. `target`: what was tested, in words. */
export function reportOf(startedAt: Date, target: string, cases: readonly CaseResult[]): Report {
  const totals = { passed: 0, failed: 0, 'not reachable': 0, 'not run': 0 };
  for (const one of cases) totals[one.result] += 1;
  return { startedAt: startedAt.toISOString(), target, totals, cases };
}

const MARKS = { passed: 'ok', failed: 'FAILED', 'not reachable': '-', 'not run': '-' } as const;

/** One line of the table. */
export function lineOf(one: CaseResult): string {
  const cells = [
    MARKS[one.result].padEnd(6),
    one.profile.padEnd(7),
    one.configuration.padEnd(16),
    one.id.padEnd(5),
    one.basis.padEnd(4),
    `${one.ms}`.padStart(5),
  ];
  const title = one.spoil === undefined ? one.title : `${one.title} [${one.spoil}]`;
  const reason =
    one.reason === undefined || one.result === 'passed' ? '' : `\n         ${firstLines(one.reason)}`;
  return `${cells.join(' ')}  ${title}${reason}`;
}

/** The closing line. */
export function summaryOf(report: Report): string {
  const { passed, failed } = report.totals;
  const other = report.totals['not reachable'] + report.totals['not run'];
  const distinct = new Set(report.cases.map((one) => one.id)).size;
  return `conformance: ${passed} passed, ${failed} failed, ${other} skipped (${distinct} cases; ${report.target})`;
}

/** Whether each spoilt case failed; the ones that did not, as lines. */
export function notRed(cases: readonly CaseResult[]): readonly string[] {
  return cases
    .filter((one) => one.spoil !== undefined && one.result === 'passed')
    .map((one) => `${one.profile} ${one.configuration} ${one.id}: still passes although ${one.spoil ?? ''}`);
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 12).join('\n         ');
}
