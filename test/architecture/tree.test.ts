/** Rules for every file of the tree: neutral texts, decision records in order. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesOf, ROOT } from './graph.ts';

const TEXT = /\.(ts|tsx|cts|mts|mjs|js|css|html|json|md|yml|yaml|svg)$/;

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** Absolute paths that exist on one machine only. */
const MACHINE_PATH = /(?<![\w.$}-])(\/(home|Users|root|tmp|var\/folders)\/[\w.-]|[A-Z]:\\\\?Users\\)/;

/** Complaints about a list of decision records: `NNNN-title.md`, numbered from 1 without a gap. */
function complaintsAboutRecords(names: readonly string[]): string[] {
  return [...names].sort().flatMap((name, index) => {
    const wanted = String(index + 1).padStart(4, '0');
    return new RegExp(`^${wanted}-[a-z0-9-]+\\.md$`).test(name) ? [] : [`${name} should be number ${wanted}`];
  });
}

describe('the tree', () => {
  test('has no path of one machine in any file', () => {
    const self = path
      .relative(ROOT, import.meta.filename)
      .split(path.sep)
      .join('/');
    const texts = filesOf(ROOT, (file) => TEXT.test(file) && file !== 'package-lock.json' && file !== self);
    const found = texts.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          MACHINE_PATH.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
        ),
    );
    expect(found).toEqual([]);
  });
});

test('decision records are numbered without a gap', () => {
  const folder = path.join(ROOT, 'docs', 'adr');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(names.length).toBeGreaterThan(0);
  expect(complaintsAboutRecords(names)).toEqual([]);
});

/** A test that stands in the file itself, not in a suite that it calls. */
const OWN_TEST = /^\s*(?:test|it)(?:\.\w+(?:\([^)]*\))?)*[(`<]/m;

test('every test file has a test of its own: Vitest lists files without running them, and refuses one without a test', () => {
  const files = filesOf(ROOT, (file) => /^test\/.*\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => !OWN_TEST.test(read(file)))).toEqual([]);
});

describe('canary: the checks find violations', () => {
  test.each([
    '/home/someone/x',
    'see /Users/someone',
    '"/tmp/x"',
    String.raw`C:\Users\someone`,
    '/root/project',
  ])('a machine path is found: %s', (text) => {
    expect(MACHINE_PATH.test(text)).toBe(true);
  });

  test.each(['/v1.0/publish/home/x', '${folder}/tmp/x', 'https://example.org/home/x', './tmp/x'])(
    'canary: %s is no machine path',
    (text) => {
      expect(MACHINE_PATH.test(text)).toBe(false);
    },
  );

  test('a file whose tests are all in a suite that it calls has none of its own', () => {
    expect(OWN_TEST.test(`journalSuite('memory', open);\nafterAll(() => test.end());`)).toBe(false);
    for (const own of [
      `test('a', …)`,
      `  it.each([1])('%s', …)`,
      'test.skipIf(isBuilt)(',
      'test.for<Row>(',
    ]) {
      expect(OWN_TEST.test(`\n${own}`)).toBe(true);
    }
  });

  test('a gap and a bad name among the records are found', () => {
    expect(complaintsAboutRecords(['0001-a.md', '0003-b.md'])).toEqual(['0003-b.md should be number 0002']);
    expect(complaintsAboutRecords(['0001-a.md', '0002-B.md'])).toHaveLength(1);
  });
});
