// Sizes of the built console: what the first load brings, and what each large part adds when it is first used.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

interface Chunk {
  readonly file: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly css: readonly string[];
  readonly modules: readonly string[];
}

const CHUNKS: readonly Chunk[] = JSON.parse(
  readFileSync(path.join(ROOT, 'dist', '.build', 'console-chunks.json'), 'utf8'),
);
const BY_FILE = new Map(CHUNKS.map((chunk) => [chunk.file, chunk]));

/** The chunks and everything they import at once. */
function closure(files: readonly string[]): Set<string> {
  const found = new Set(files);
  for (const file of found) for (const next of BY_FILE.get(file)?.imports ?? []) found.add(next);
  return found;
}

function gzippedKb(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(readFileSync(path.join(ROOT, 'dist', 'renderer', file))).length;
  return bytes / 1024;
}

const FIRST = closure(CHUNKS.filter(({ isEntry }) => isEntry).map(({ file }) => file));

/** Files that the first use of these packages adds to the first load. */
function lazyPart(packages: RegExp): readonly string[] {
  return CHUNKS.filter(({ modules }) => modules.some((module) => packages.test(module)))
    .map(({ file }) => file)
    .filter((file) => !FIRST.has(file));
}

describe('first load', () => {
  test('at most 350 KB of script, gzipped', () => {
    const size = gzippedKb(FIRST);
    expect(size).toBeGreaterThan(100);
    expect(size).toBeLessThanOrEqual(350);
  });

  test('at most 40 KB of styles, gzipped', () => {
    const styles = new Set([...FIRST].flatMap((file) => BY_FILE.get(file)?.css ?? []));
    const size = gzippedKb(styles);
    expect(size).toBeGreaterThan(1);
    expect(size).toBeLessThanOrEqual(40);
  });
});

const PARTS = [
  ['open message', /renderer\/components\/detail\/OpenMessage\.tsx$/, 50],
  ['editor', /node_modules\/(@codemirror|@lezer)\//, 180],
  ['graph', /node_modules\/(@xyflow|@dagrejs|d3-)/, 85],
  ['chart', /node_modules\/uplot\//, 25],
  ['CSV', /node_modules\/papaparse\//, 8],
] as const;

describe.each(PARTS)('the %s', (_name, packages, limit) => {
  test('is not in the first load', () => {
    const early = [...FIRST].filter((file) =>
      BY_FILE.get(file)?.modules.some((module) => packages.test(module)),
    );
    expect(early).toEqual([]);
  });

  test(`adds at most ${limit} KB, gzipped`, () => {
    const files = lazyPart(packages);
    expect(gzippedKb(files)).toBeLessThanOrEqual(limit);
  });
});

test('the bundle has nothing that only tests use', () => {
  const strange = CHUNKS.flatMap(({ modules }) => modules).filter((module) => /(^|\/)test\//.test(module));
  expect(strange).toEqual([]);
});
