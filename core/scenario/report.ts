/**
 * Formats results of scenario files: text for people, JSON and JUnit XML. They have no ids or times but
 * those that an app says itself, so that equal runs have equal reports.
 */
import { theApp } from '../contract/app-text.ts';
import { counted } from '../contract/count-text.ts';
import type { StepResult } from './run-steps.ts';

export interface FileResult {
  /** Path as on the command line, or as found below a given folder. */
  readonly file: string;
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly steps: readonly StepResult[];
  /** Why the file could not run to its end: the error of the instance or the app. */
  readonly trouble?: string;
  /** What the apps printed last that Sidelight runs, of a file that failed. */
  readonly output?: readonly AppOutput[];
  /** Command that opens the console on the history of the run. */
  readonly open?: string;
}

/** Last lines that an app printed, oldest first. */
export interface AppOutput {
  readonly appId: string;
  readonly lines: readonly string[];
}

export const REPORTERS = ['spec', 'json', 'junit'] as const;
export type Reporter = (typeof REPORTERS)[number];

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: '-   ' } as const;

export function report(reporter: Reporter, results: readonly FileResult[]): string {
  switch (reporter) {
    case 'spec':
      return `${results.map(specOf).join('')}${summaryOf(results)}`;
    case 'json':
      return `${JSON.stringify({ passed: results.every(isPassed), files: results }, undefined, 2)}\n`;
    case 'junit':
      return junitOf(results);
  }
}

/** One file for people: a line if it passed, all of its steps if it failed. */
export function specOf({ file, name, status, steps, trouble, output, open }: FileResult): string {
  const head = `${MARKS[status]} ${name} (${file})`;
  if (status === 'passed') return `${head}\n`;
  const lines = steps.flatMap(({ title, status: is, story = [] }) => [
    `       ${MARKS[is]} ${title}`,
    ...story.map((line) => `              ${line}`),
  ]);
  return [
    head,
    ...lines,
    ...(trouble === undefined ? [] : trouble.split('\n').map((line) => `       ${line}`)),
    ...outputLines(output).map((line) => `       ${line}`),
    ...(open === undefined ? [] : [`       open it: ${open}`]),
    '',
  ].join('\n');
}

function outputLines(output: readonly AppOutput[] = []): readonly string[] {
  return output.flatMap(({ appId, lines }) => [
    `${theApp(appId)} printed last:`,
    ...lines.map((line) => `  ${line}`),
  ]);
}

/** Summary in words: "3 passed, 1 failed". */
export function summaryOf(results: readonly FileResult[]): string {
  const failed = results.filter((each) => !isPassed(each)).length;
  return `${counted(results.length, 'file')}: ${results.length - failed} passed, ${failed} failed\n`;
}

export function isPassed({ status }: FileResult): boolean {
  return status === 'passed';
}

/** JUnit XML: a suite for each file, a case for each step. */
function junitOf(results: readonly FileResult[]): string {
  const suites = results.map(suiteOf);
  const sum = (of: (suite: Suite) => number): number => suites.reduce((total, suite) => total + of(suite), 0);
  const counts = `tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}" errors="${sum(({ errors }) => errors)}"`;
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sidelight" ${counts}>`;
  return `${[head, ...suites.map(({ text }) => text), '</testsuites>'].join('\n')}\n`;
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly text: string;
}

function suiteOf({ file, name, steps, trouble, output, open }: FileResult): Suite {
  const cases = steps.map(({ title, status, story = [] }, index) => {
    const start = `    <testcase classname="${xml(name)}" name="${xml(`${index + 1} ${title}`)}" file="${xml(file)}"`;
    if (status === 'passed') return `${start}/>`;
    if (status === 'skipped') return `${start}><skipped/></testcase>`;
    const text = [...story, ...(open === undefined ? [] : [`open it: ${open}`])].join('\n');
    return `${start}><failure message="${xml(story[0] ?? title)}">${xml(text)}</failure></testcase>`;
  });
  if (trouble !== undefined)
    cases.push(
      `    <testcase classname="${xml(name)}" name="run" file="${xml(file)}"><error message="${xml(trouble.split('\n')[0] ?? '')}">${xml(trouble)}</error></testcase>`,
    );
  const tests = cases.length;
  const failures = steps.filter(({ status }) => status === 'failed').length;
  const skipped = steps.filter(({ status }) => status === 'skipped').length;
  const errors = trouble === undefined ? 0 : 1;
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  const head = `  <testsuite name="${xml(name)}" file="${xml(file)}" ${counts}>`;
  const printed =
    output === undefined ? [] : [`    <system-out>${xml(outputLines(output).join('\n'))}</system-out>`];
  return { tests, failures, errors, text: [head, ...cases, ...printed, '  </testsuite>'].join('\n') };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Escapes a text for XML; characters that XML cannot have become a replacement character. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}
