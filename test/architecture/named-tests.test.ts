/** The tests that SECURITY.md and docs/accessibility.md name as proof exist, and so does every file that a page names by its whole path. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, filesOf } from './graph.ts';

const FILES = filesOf(ROOT, () => true);
const TEST_ENDING = /(?:\.long)?\.(?:test|spec)\.tsx?$/;

const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

/** Names in code marks in the last column of the tables of a page. */
function lastColumn(text: string): readonly string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => {
    const cells = row.split(' | ');
    return [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].flatMap((match) => match[1] ?? []);
  });
}

/** Names of tests without their endings, below a folder; `*` stands for the rest of a name. */
function missingTests(
  names: readonly string[],
  below: string,
  files: readonly string[] = FILES,
): readonly string[] {
  const tests = files.filter((file) => TEST_ENDING.test(file)).map((file) => file.replace(TEST_ENDING, ''));
  return names.filter((name) =>
    name.endsWith('*')
      ? !tests.some((one) => one.startsWith(`${below}/${name.slice(0, -1)}`))
      : !tests.includes(`${below}/${name}`),
  );
}

/** Whole paths in code marks that lead to no file and no folder. A path with a pattern or a placeholder is none. */
function missingPaths(text: string, files: readonly string[] = FILES): readonly string[] {
  const named = [...text.matchAll(/`((?:bin|build|core|electron|renderer|scripts|test)\/[\w./-]+)`/g)];
  return named
    .flatMap((match) => match[1]?.replace(/\/$/, '') ?? [])
    .filter((name) => !files.some((file) => file === name || file.startsWith(`${name}/`)));
}

test('every test that SECURITY.md names exists', () => {
  const names = lastColumn(read('SECURITY.md'));
  expect(names.length).toBeGreaterThan(40);
  expect(missingTests(names, 'test')).toEqual([]);
});

test('every journey that docs/accessibility.md names without its ending exists', () => {
  const names = lastColumn(read('docs/accessibility.md')).filter((name) => /^[a-z][a-z.-]+$/.test(name));
  expect(names.length).toBeGreaterThan(20);
  expect(
    missingTests(
      names.map((name) => name.replace(/\.long$/, '')),
      'test/e2e',
    ),
  ).toEqual([]);
});

test('every file and folder that a page names by its whole path exists', () => {
  const pages = filesOf(ROOT, (file) => /^(?:[A-Z]+\.md|docs\/(?:[\w-]+\/)?[\w-]+\.md)$/.test(file)).filter(
    // A decision record speaks of the tree as it was then, the changelog of every version. SECURITY.md names tests below test.
    (page) => !page.startsWith('docs/adr/') && page !== 'CHANGELOG.md' && page !== 'SECURITY.md',
  );
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap((page) => missingPaths(read(page)).map((name) => `${page} names ${name}`))).toEqual(
    [],
  );
});

test('canary: a missing test and a missing path are found', () => {
  const files = ['test/e2e/holds.spec.ts', 'test/mcp/tools.test.ts', 'core/host/cli.ts'];
  expect(lastColumn('| a | `not/this` | `mcp/tools`, `e2e/h*` |\ntext `not/that`')).toEqual([
    'mcp/tools',
    'e2e/h*',
  ]);
  expect(missingTests(['mcp/tools', 'mcp/tool', 'e2e/h*', 'e2e/x*'], 'test', files)).toEqual([
    'mcp/tool',
    'e2e/x*',
  ]);
  expect(missingPaths('`core/host` `core/hosts` `core/host/cli.ts` `core/<name>`', files)).toEqual([
    'core/hosts',
  ]);
});
