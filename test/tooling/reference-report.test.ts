// The report of a comparison with the reference: what differs has a reason, or makes it fail.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compareAgain, differing } from '../conformance/again.ts';
import { CONFIGURATIONS } from '../conformance/configurations.ts';
import { compared, comparisonReport, DIFFERENCES, reasonFor } from '../conformance/differences.ts';
import { main } from '../conformance/main.ts';
import { profileOf, REFERENCE_SETUPS } from '../conformance/reference.ts';
import type { CaseResult } from '../conformance/suite/report.ts';

const ids = CONFIGURATIONS.flatMap(({ cases }) => cases.map(({ id }) => id));

const result = (id: string, outcome: CaseResult['result']): CaseResult => ({
  id,
  title: `case ${id}`,
  basis: 'R',
  rows: [],
  configuration: 'base',
  profile: 'dapr',
  result: outcome,
  ms: 1,
  reason: 'it did otherwise',
});

test('a difference without a reason is reported as open', () => {
  const results = [result('18b', 'failed'), result('1a', 'failed'), result('2', 'passed')];
  const { lines, open } = compared([{ version: '1.13.6', results, skipped: [['serial', 'no setting']] }]);
  expect(open).toBe(1);
  expect(lines.find((line) => line.startsWith('reference'))).toBe(
    'reference 1.13.6: 1 cases as here, 1 differ as known, 1 differ without a reason',
  );
  expect(lines.find((line) => line.includes('case 1a'))).toContain('NO REASON KNOWN. it did otherwise');
  expect(lines.find((line) => line.includes('serial'))).toContain('no setting');
});

test('a comparison as JSON has each case with the known reason, and what was not compared', () => {
  const results = [result('18b', 'failed'), result('1a', 'failed'), result('2', 'passed')];
  const [known, unknown, asHere] = results;
  const one = { version: '1.13.6', results, skipped: [['serial', 'no setting']] } as const;
  const written = comparisonReport(new Date(0), '/start.sh', [one, { ...one, tapped: results }]);
  expect(written).toMatchObject({ startedAt: '1970-01-01T00:00:00.000Z', reference: '/start.sh', open: 2 });
  const cases = [{ ...known, knownAs: reasonFor('18b', '1.13.6') }, unknown, asHere];
  const notCompared = [{ configuration: 'serial', reason: 'no setting' }];
  expect(written.releases).toEqual([
    { version: '1.13.6', cases, notCompared },
    { version: '1.13.6', cases, throughTap: results, notCompared },
  ]);
});

test('--json has an effect with --reference too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-comparison-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const json = join(folder, 'report.json');
  const args = ['--reference', '/nowhere', '--reference-version', '1.18.3', '--only', 'none', '--json', json];
  expect(await main(args, { print: () => undefined })).toBe(0);
  const report: unknown = JSON.parse(readFileSync(json, 'utf8'));
  expect(report).toMatchObject({
    reference: '/nowhere',
    open: 0,
    releases: [{ version: '1.18.3', cases: [] }],
  });
});

test('a known difference that is missing is reported, unless it comes and goes', () => {
  const results = ['18b', 'V6b', '53c', '92'].map((id) => result(id, 'passed'));
  const { lines } = compared([{ version: '1.18.3', results, skipped: [] }]);
  expect(lines.filter((line) => line.includes('as here'))).toEqual([
    'reference 1.18.3: 4 cases as here, 0 differ as known, 0 differ without a reason',
    '  as here this time, which depends on what comes first: 92',
    '  as here although a difference is known: 18b',
  ]);
});

test('a result that a tap changes is reported as open', () => {
  const results = [result('1a', 'passed'), result('18b', 'failed')];
  const told = (tapped: readonly CaseResult[]) =>
    compared([{ version: '1.13.6', results, tapped, skipped: [] }]);
  expect(told(results).open).toBe(0);
  const { lines, open } = told([result('1a', 'failed'), result('18b', 'failed')]);
  expect(open).toBe(1);
  expect(lines).toContain(
    'reference 1.13.6 through a tap: 1 of 2 cases as without it, 1 differ without a reason',
  );
  expect(lines.at(-1)).toContain('passed without, failed with: NO REASON KNOWN. it did otherwise');
});

describe('a result that differs through a tap', () => {
  const first = {
    results: [result('1a', 'passed'), result('18b', 'failed'), result('2', 'failed')],
    tapped: [result('1a', 'failed'), result('18b', 'failed'), result('2', 'passed')],
  };

  test('counts if every further run has it', async () => {
    const asked: (readonly string[])[] = [];
    const settled = await compareAgain(first, async (ids) => {
      asked.push(ids);
      return {
        results: [result('1a', 'passed'), result('2', 'failed')],
        tapped: [result('1a', 'failed'), result('2', 'passed')],
      };
    });
    expect(asked).toEqual([
      ['1a', '2'],
      ['1a', '2'],
      ['1a', '2'],
    ]);
    expect(differing(settled)).toEqual(['1a', '2']);
  });

  test('is chance if a further run has the same result both ways', async () => {
    const runs = [
      {
        results: [result('1a', 'passed'), result('2', 'failed')],
        tapped: [result('1a', 'failed'), result('2', 'failed')],
      },
      { results: [result('1a', 'passed')], tapped: [result('1a', 'passed')] },
    ];
    const settled = await compareAgain(first, async () => runs.shift() ?? first);
    expect(differing(settled)).toEqual([]);
    expect(settled.results.map(({ id, result: of }) => `${id} ${of}`)).toEqual([
      '1a passed',
      '18b failed',
      '2 failed',
    ]);
    expect(runs).toEqual([]);
  });
});

test('a reason may hold for one release only', () => {
  expect(reasonFor('V21', '1.13.6')).toBeDefined();
  expect(reasonFor('V21', '1.18.3')).toBeUndefined();
});

test('every difference names existing cases, and every setup a configuration', () => {
  const named = DIFFERENCES.flatMap(({ cases }) => cases);
  expect(named.filter((one) => !ids.includes(one))).toEqual([]);
  const known = new Set(CONFIGURATIONS.map(({ id }) => id));
  expect(Object.keys(REFERENCE_SETUPS).filter((id) => !known.has(id))).toEqual([]);
});

test('a case has at most one reason in each release', () => {
  const twice = ['1.13', '1.18'].flatMap((release) => {
    const named = DIFFERENCES.filter(({ releases }) => releases?.includes(release) !== false).flatMap(
      ({ cases }) => cases,
    );
    return named.filter((id, i) => named.indexOf(id) !== i);
  });
  expect(twice).toEqual([]);
});

test('a release is compared by the profile that follows it', () => {
  expect(['1.13.6', '1.16.2', '1.17.0', '1.18.3'].map(profileOf)).toEqual([
    'dapr',
    'dapr',
    'dapr-1.18',
    'dapr-1.18',
  ]);
});
