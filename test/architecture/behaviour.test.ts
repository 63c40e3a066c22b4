/** Every number of docs/behaviour.md that code, tests or docs cite is a heading there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, filesOf } from './graph.ts';

const DOC = 'docs/behaviour.md';
const ROOMS = /^(?:core|renderer|electron|test|scripts|docs|bin)\/|^[A-Z]+\.md$/;
const TEXTS = /\.(?:tsx?|mjs|md)$/;
const CITATION = /\bbehaviour ((?:\d+(?:\.\d+)?(?:(?:, | and | to |, and )(?=\d))?)+)/gi;

/** Numbers of the headings: `## 5 Delivery`, `### 5.2 What an answer means`. */
function headings(markdown: string): ReadonlySet<string> {
  return new Set([...markdown.matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)].map((match) => match[1] ?? ''));
}

/** Numbers that a text cites, also several at once: "behaviour 6.1, 6.2". */
function citations(text: string): readonly string[] {
  return [...text.matchAll(CITATION)].flatMap((match) => (match[1] ?? '').match(/\d+(?:\.\d+)?/g) ?? []);
}

function missingIn(text: string, known: ReadonlySet<string>): readonly string[] {
  return citations(text).filter((number) => !known.has(number));
}

const KNOWN = headings(readFileSync(path.join(ROOT, DOC), 'utf8'));

test('every number that is cited stands in docs/behaviour.md', () => {
  // The test's own file has numbers that do not exist, for its canary.
  const files = filesOf(
    ROOT,
    (file) => ROOMS.test(file) && TEXTS.test(file) && !file.endsWith('/behaviour.test.ts'),
  );
  const texts = files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')] as const);
  expect(texts.flatMap(([, text]) => citations(text)).length).toBeGreaterThan(100);
  const missing = texts.flatMap(([file, text]) =>
    missingIn(text, KNOWN).map((number) => `${file} cites ${number}`),
  );
  expect(missing).toEqual([]);
});

test('canary: a number that is no heading is found, alone and in a list', () => {
  const known = headings('## 6 Bulk\n\n### 6.1 The call\n\ntext 6.2\n\n### 6.3 Answers\n');
  expect([...known]).toEqual(['6', '6.1', '6.3']);
  expect(missingIn('Behaviour 6.1. (behaviour 6; behaviour 6.3)', known)).toEqual([]);
  expect(missingIn('behaviour 6.1, 6.2 and 8.2; its behaviour is odd', known)).toEqual(['6.2', '8.2']);
  expect(missingIn('Behaviour 9.9', known)).toEqual(['9.9']);
});
