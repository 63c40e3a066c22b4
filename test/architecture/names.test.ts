/** Names in code: words that the glossary refuses are in no identifier, so that one thing keeps one word. */
import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './graph.ts';

const PAGE = fs.readFileSync(path.join(ROOT, 'docs', 'glossary.md'), 'utf8');

/** Patterns of the table "Names in code": `tell…` stands for a first word, `…Wish` for a last one. */
function refusedPatterns(): string[] {
  const [, section = ''] = PAGE.split('## Names in code');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern),
    );
}

/** @param pattern a word with `…` where the rest of a name may stand */
function asExpression(pattern: string): RegExp {
  const word = pattern.replaceAll('…', '');
  const isUpper = word === word.toUpperCase();
  const begin = pattern.startsWith('…') ? (isUpper ? '' : '(?:^|[a-z])') : '^';
  const end = pattern.endsWith('…') ? (isUpper ? '' : '(?:$|[A-Z_])') : '$';
  return new RegExp(`${begin}${word}${end}`);
}

/** Parts of names: what is refused is refused in a part as well. */
const WORD = /[A-Za-z_$]+/g;

function refusedNames(file: string, text: string, expressions: readonly RegExp[]): string[] {
  const isRefused = (name: string): boolean => expressions.some((expression) => expression.test(name));
  // Most files have no such word, in code or elsewhere. Parsing them all would take seconds.
  if (![...new Set(text.match(WORD))].some(isRefused)) return [];
  const found = new Set<string>();
  const look = ({ name }: { readonly name: string }): void => {
    if (isRefused(name)) found.add(`${file}: ${name}`);
  };
  const { program } = parseSync(file.replace(/\.cts$/, '.ts'), text, { sourceType: 'module' });
  new Visitor({ Identifier: look, PrivateIdentifier: look, JSXIdentifier: look }).visit(program);
  return [...found];
}

test('no identifier of the product has a word that the glossary refuses', () => {
  const expressions = refusedPatterns().map(asExpression);
  expect(expressions.length).toBeGreaterThan(5);
  const found = sourceFiles()
    .filter((file) => !file.startsWith('test/'))
    .flatMap((file) => refusedNames(file, fs.readFileSync(path.join(ROOT, file), 'utf8'), expressions));
  expect(found).toEqual([]);
}, 60_000);

test.each([
  ['tell…', 'tellClient', true],
  ['tell…', 'tell', true],
  ['tell…', 'telling', false],
  ['…Wish', 'TapWish', true],
  ['…Wish', 'wishes', false],
  ['MOST_…', 'MOST_ROWS', true],
  ['…_MOST', 'BADGE_MOST', true],
  ['MOST_…', 'ALMOST_DONE', false],
  ['tell…', 'a = "tellAll", b', false],
])('%s and the name %s: refused is %s', (pattern, name, isRefused) => {
  expect(refusedNames('a.ts', `const ${name} = 1;`, [asExpression(pattern)]).length > 0).toBe(isRefused);
});
