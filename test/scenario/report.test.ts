/** Reports: the same results as text, JSON and XML. */
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { report } from '../../core/scenario/report.ts';
import type { FileResult } from '../../core/scenario/report.ts';

const NASTY = 'a "b" <c> & \u0000\uD800 d';
const RESULTS: readonly FileResult[] = [
  {
    file: 'good.scenario.yaml',
    name: 'good',
    status: 'passed',
    steps: [{ title: 'settle', status: 'passed' }],
  },
  {
    file: 'bad.scenario.yaml',
    name: NASTY,
    status: 'failed',
    steps: [
      { title: 'publish to x', status: 'passed' },
      { title: NASTY, status: 'failed', story: [NASTY, '  second line'] },
      { title: 'settle', status: 'skipped' },
    ],
    open: 'sidelight test --keep bad.scenario.yaml',
  },
  {
    file: 'ended.scenario.yaml',
    name: 'ended',
    status: 'failed',
    steps: [],
    trouble: 'it ended\nlast line',
    output: [
      { appId: 'app', lines: ['up', NASTY] },
      { appId: 'shop', lines: ['closed'] },
    ],
  },
];

test('the report spec has a line for a passed file, and the whole story of a failed one', () => {
  expect(report('spec', RESULTS)).toBe(`ok   good (good.scenario.yaml)
FAIL ${NASTY} (bad.scenario.yaml)
       ok   publish to x
       FAIL ${NASTY}
              ${NASTY}
                second line
       -    settle
       open it: sidelight test --keep bad.scenario.yaml
FAIL ended (ended.scenario.yaml)
       it ended
       last line
       the app printed last:
         up
         ${NASTY}
       app shop printed last:
         closed
3 files: 1 passed, 2 failed
`);
});

test('the report json has the results unchanged', () => {
  expect(JSON.parse(report('json', RESULTS))).toEqual({
    passed: false,
    files: JSON.parse(JSON.stringify(RESULTS)),
  });
});

test('the report junit is valid XML with the same texts and counts', () => {
  const parser = new SaxesParser();
  const tags: { name: string; attributes: Record<string, string> }[] = [];
  const texts: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => void tags.push({ name, attributes: { ...attributes } }));
  parser.on('text', (text) => void (text.trim() === '' || texts.push(text)));
  parser.write(report('junit', RESULTS)).close();
  const shown = 'a "b" <c> & \uFFFD\uFFFD d';
  expect(tags[0]).toEqual({
    name: 'testsuites',
    attributes: { name: 'sidelight', tests: '5', failures: '1', errors: '1' },
  });
  expect(tags.filter(({ name }) => name === 'testsuite').map(({ attributes }) => attributes)).toMatchObject([
    { name: 'good', tests: '1', failures: '0', errors: '0', skipped: '0' },
    { name: shown, tests: '3', failures: '1', errors: '0', skipped: '1' },
    { name: 'ended', tests: '1', failures: '0', errors: '1', skipped: '0' },
  ]);
  expect(tags.find(({ name }) => name === 'failure')?.attributes).toEqual({ message: shown });
  expect(texts).toEqual([
    `${shown}\n  second line\nopen it: sidelight test --keep bad.scenario.yaml`,
    'it ended\nlast line',
    `the app printed last:\n  up\n  ${shown}\napp shop printed last:\n  closed`,
  ]);
  expect(tags.at(-1)?.name).toBe('system-out');
});
