// The counts behind the closing line of npm test.
import { describe, expect, test } from 'vitest';
import {
  add,
  closingLines,
  judged,
  NONE,
  oneFailed,
  onePassed,
  oneSkipped,
  parseTally,
  tallyOfConformance,
  tallyOfPlaywright,
  tallyOfScenarios,
} from '../../scripts/test/tally.ts';

describe('closing lines', () => {
  test('name every skip with its reason, then the counts alone on a line', () => {
    const total = [
      onePassed,
      onePassed,
      oneFailed,
      oneSkipped('Electron window', 'there is no display'),
    ].reduce(add, NONE);
    expect(closingLines(total)).toEqual([
      'skipped: Electron window: there is no display',
      '2 passed, 1 failed, 1 skipped',
    ]);
  });

  test('have zeros if nothing ran', () => {
    expect(closingLines(NONE)).toEqual(['0 passed, 0 failed, 0 skipped']);
  });
});

describe('a runner is judged by its report and by how it ended', () => {
  test.each([
    ['all well', onePassed, 0, { passed: 1, failed: 0 }],
    ['ended badly, named no failure', onePassed, 1, { passed: 1, failed: 1 }],
    ['ended badly, named it', oneFailed, 1, { passed: 0, failed: 1 }],
    ['ended well without a report', undefined, 0, { passed: 0, failed: 1 }],
    ['ended badly without a report', undefined, 143, { passed: 0, failed: 1 }],
  ])('a report is judged: %s', (_, report, code, expected) => {
    expect(judged(report, code)).toMatchObject(expected);
  });
});

describe('reports', () => {
  test('a report of the Vitest reporter is read', () => {
    const tally = { passed: 3, failed: 1, skipped: [{ name: 'redis', reason: 'no server' }] };
    expect(parseTally(JSON.stringify(tally))).toEqual(tally);
    expect(parseTally('{"passed":"3"}')).toBeUndefined();
    expect(parseTally('null')).toBeUndefined();
  });

  test('a report of the conformance suite is read', () => {
    const one = (result: string, reason?: string): unknown => ({
      id: '12',
      title: 't',
      profile: 'dapr',
      result,
      reason,
    });
    const report = {
      cases: [one('passed'), one('failed'), one('not run', 'needs .NET'), one('not reachable')],
    };
    expect(tallyOfConformance(JSON.stringify(report))).toEqual({
      passed: 1,
      failed: 1,
      skipped: [
        { name: 'conformance 12 (dapr) t', reason: 'needs .NET' },
        { name: 'conformance 12 (dapr) t', reason: 'no reason given' },
      ],
    });
    expect(tallyOfConformance('{"cases":[7]}')).toMatchObject({ failed: 1 });
  });

  test('a report of Playwright counts nested suites, a skip with its reason, a retry and an error outside of tests', () => {
    const spec = (title: string, status: string, annotations: unknown[] = []): unknown => ({
      title,
      tests: [{ status, annotations }],
    });
    const report = {
      errors: [{ message: 'no tests found' }],
      suites: [
        {
          specs: [spec('a', 'expected'), spec('b', 'unexpected')],
          suites: [
            {
              specs: [
                spec('c', 'flaky'),
                spec('d', 'skipped', [{ type: 'skip', description: 'no binary' }]),
                spec('e', 'skipped'),
              ],
            },
          ],
        },
      ],
    };
    expect(tallyOfPlaywright(JSON.stringify(report))).toEqual({
      passed: 2,
      failed: 2,
      skipped: [
        { name: 'd', reason: 'no binary' },
        { name: 'e', reason: 'no reason given' },
      ],
    });
  });

  test('scenario files count one each, and only those that say so as passed', () => {
    const files = [{ status: 'passed' }, { status: 'failed' }, 7];
    expect(tallyOfScenarios(JSON.stringify({ files }))).toEqual({ passed: 1, failed: 2, skipped: [] });
  });
});
