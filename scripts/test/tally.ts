// Counts of a test run: adds up the reports of all runners, and makes the closing lines.

export interface Skip {
  readonly name: string;
  readonly reason: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly Skip[];
}

export const NONE: Tally = { passed: 0, failed: 0, skipped: [] };
export const onePassed: Tally = { ...NONE, passed: 1 };
export const oneFailed: Tally = { ...NONE, failed: 1 };
export const oneSkipped = (name: string, reason: string): Tally => ({ ...NONE, skipped: [{ name, reason }] });

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: [...a.skipped, ...b.skipped],
});

/**
 * A runner's count, corrected by its exit code: a runner that failed without naming a failure counts as one.
 * @param report undefined: it left no report
 */
export function judged(report: Tally | undefined, exitCode: number): Tally {
  const counted = report ?? NONE;
  const silent = exitCode !== 0 && counted.failed === 0;
  const empty = report === undefined && exitCode === 0;
  return silent || empty ? add(counted, oneFailed) : counted;
}

/** One line per skip with its reason, then `N passed, N failed, N skipped` on a line of its own. */
export function closingLines(tally: Tally): string[] {
  return [
    ...tally.skipped.map(({ name, reason }) => `skipped: ${name}: ${reason}`),
    `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`,
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NO_REASON = 'no reason given';
const words = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : NO_REASON);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a tally of this project's Vitest reporter; undefined: the text is none. */
export function parseTally(text: string): Tally | undefined {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || typeof value['passed'] !== 'number' || typeof value['failed'] !== 'number')
    return undefined;
  const skipped = list(value['skipped']).flatMap((skip) => {
    if (!isRecord(skip) || typeof skip['name'] !== 'string' || typeof skip['reason'] !== 'string') return [];
    return [{ name: skip['name'], reason: skip['reason'] }];
  });
  return { passed: value['passed'], failed: value['failed'], skipped };
}

/** Counts the conformance suite's JSON report; a case that was not reached or not run is a skip. */
export function tallyOfConformance(text: string): Tally {
  const report: unknown = JSON.parse(text);
  const cases = isRecord(report) ? list(report['cases']) : [];
  return cases.map(tallyOfCase).reduce(add, NONE);
}

/** Counts the files of a JSON report of `sidelight test`. */
export function tallyOfScenarios(text: string): Tally {
  const report: unknown = JSON.parse(text);
  const files = isRecord(report) ? list(report['files']) : [];
  return files
    .map((file) => (isRecord(file) && file['status'] === 'passed' ? onePassed : oneFailed))
    .reduce(add, NONE);
}

function tallyOfCase(one: unknown): Tally {
  if (!isRecord(one) || one['result'] === 'failed') return oneFailed;
  if (one['result'] === 'passed') return onePassed;
  const [id, title, profile, reason] = ['id', 'title', 'profile', 'reason'].map((key) => words(one[key]));
  return oneSkipped(`conformance ${id} (${profile}) ${title}`, reason ?? NO_REASON);
}

/** Counts Playwright's JSON report. A test that failed and passed in its retry counts as passed. */
export function tallyOfPlaywright(text: string): Tally {
  const report: unknown = JSON.parse(text);
  if (!isRecord(report)) return NONE;
  const specs = list(report['suites']).flatMap(specsOf);
  const outside = list(report['errors']).length;
  return specs.reduce(add, { ...NONE, failed: outside });
}

function specsOf(suite: unknown): Tally[] {
  if (!isRecord(suite)) return [];
  const own = list(suite['specs'])
    .filter(isRecord)
    .flatMap((spec) => list(spec['tests']).map((test) => tallyOfTest(String(spec['title']), test)));
  return [...own, ...list(suite['suites']).flatMap(specsOf)];
}

function tallyOfTest(title: string, test: unknown): Tally {
  if (!isRecord(test)) return oneFailed;
  // `flaky`: it passed in a retry, which only hosted machines make (playwright.config.ts).
  if (test['status'] === 'expected' || test['status'] === 'flaky') return onePassed;
  if (test['status'] !== 'skipped') return oneFailed;
  const told = list(test['annotations'])
    .filter(isRecord)
    .find((note) => note['type'] === 'skip' || note['type'] === 'fixme');
  return oneSkipped(title, words(told?.['description']));
}
