/** The numbered cases of runs of several apps, each with the tests that name it: read from the tests themselves. */
import path from 'node:path';
import { ROOT, filesOf } from './graph.ts';
import { namedTests } from './router-cases.ts';

const CASES = 65;
const CASE = /(?<![A-Za-z0-9-])R(\d{1,2})(?![0-9])/g;

export interface RunCase {
  readonly id: string;
  /** File and title of every test that names it. */
  readonly proofs: readonly string[];
}

/** Every case there should be, also one that no test names. */
export function runCases(): readonly RunCase[] {
  const found = new Map<string, string[]>();
  for (const file of filesOf(ROOT, (each) => each.startsWith('test/host/') && each.endsWith('.test.ts'))) {
    for (const { title, ids } of namedTests(file, idsIn)) {
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), `\`${path.basename(file)}\`: ${title}`]);
    }
  }
  return Array.from({ length: CASES }, (_, n) => {
    const id = `R${n + 1}`;
    return { id, proofs: found.get(id) ?? [] };
  });
}

/** Text of docs/run-cases.md. */
export function runCasesText(): string {
  const rows = runCases().map(
    ({ id, proofs }) => `| ${id} | ${[...new Set(proofs)].join('<br>').replaceAll('|', '\\|')} |`,
  );
  return [
    '# Cases of runs of several apps',
    '',
    'Every numbered case of `sidelight run` and the tests that prove it, by their titles. Written by `npm run spec-map` from the tests;',
    'a test compares it with them, and fails where a case has none.',
    '',
    '| case | proven by |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(CASE)].map(([, number]) => `R${number}`);
}
