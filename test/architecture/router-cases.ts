/** The numbered cases of the event router, each with the tests that name it: read from the tests themselves. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT, filesOf } from './graph.ts';

/** Letter of a group of cases, what it is about, how many there are. */
const GROUPS = [
  ['C', 'Configuration', 30],
  ['S', 'Start-up and reconciling', 23],
  ['H', 'Handshake and webhook', 23],
  ['J', 'Tokens', 18],
  ['D', 'Delivery engine', 28],
  ['T', 'Topic endpoint and output side', 28],
  ['F', 'Fault drills', 5],
] as const;

const FOLDERS = /^test\/(event-router|local-router|runtime|domain)\//;
const CASE = /(?<![A-Za-z0-9-])([CSHJDTF])(\d\d)(?:(?: to |-)\1(\d\d))?(?![0-9])/g;

export interface RouterCase {
  readonly id: string;
  /** File and title of every test that names it. */
  readonly proofs: readonly { readonly file: string; readonly title: string }[];
}

/** Every case there should be, also one that no test names. */
export function routerCases(): readonly RouterCase[] {
  const found = new Map<string, { file: string; title: string }[]>();
  for (const file of filesOf(ROOT, (each) => FOLDERS.test(each) && each.endsWith('.test.ts'))) {
    for (const { title, ids } of namedTests(file, idsIn))
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), { file, title }]);
  }
  return GROUPS.flatMap(([letter, , count]) =>
    Array.from({ length: count }, (_, n) => {
      const id = `${letter}${String(n + 1).padStart(2, '0')}`;
      return { id, proofs: found.get(id) ?? [] };
    }),
  );
}

/** Text of docs/event-router-cases.md. */
export function routerCasesText(): string {
  const cases = routerCases();
  const lines = [
    '# Event-router cases',
    '',
    'Every numbered case of the event router and the tests that prove it, by their titles. Written by `npm run spec-map` from the tests;',
    'a test compares it with them, and fails where a case has none.',
  ];
  for (const [letter, name] of GROUPS) {
    lines.push('', `## ${name}`, '', '| case | proven by |', '|---|---|');
    for (const { id, proofs } of cases.filter((each) => each.id.startsWith(letter))) {
      const said = proofs.map(({ file, title }) => `\`${path.basename(file)}\`: ${title}`);
      lines.push(`| ${id} | ${[...new Set(said)].join('<br>').replaceAll('|', '\\|')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Tests of a file with the cases that their titles, or the rows of their tables, name.
 * @param idsOf cases that a text names
 */
export function namedTests(
  file: string,
  idsOf: (text: string) => readonly string[],
): readonly { readonly title: string; readonly ids: readonly string[] }[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const { program } = parseSync(file, text, { sourceType: 'module' });
  const named: { title: string; ids: readonly string[] }[] = [];
  new Visitor({
    CallExpression(node) {
      const [first] = node.arguments;
      if (first?.type !== 'Literal' || typeof first.value !== 'string') return;
      // The callee of a table is the call of `each` with its rows.
      const callee = text.slice(node.callee.start, node.callee.end);
      if (!/^(?:test|describe|it)\b/.test(callee)) return;
      const ids = idsOf(`${first.value} ${callee}`);
      if (ids.length > 0) named.push({ title: first.value, ids });
    },
  }).visit(program);
  return named;
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(CASE)].flatMap(([, letter = '', from = '', to = from]) =>
    Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, n) => `${letter}${String(Number(from) + n).padStart(2, '0')}`,
    ),
  );
}
