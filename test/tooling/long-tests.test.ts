// Which tests are left to npm run test:long: by their names, with a short twin each, as docs/test-costs.md says.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const TWINS = fs.readFileSync(path.join(ROOT, 'docs', 'test-costs.md'), 'utf8');

/** Long file and what stands for it in npm test, by row of the table. */
const ROWS = [...TWINS.matchAll(/^\| `(test\/\S+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, long = '', short = '']) => ({ long, short }),
);
const files = fs
  .readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.split(path.sep).join('/')}`);

test('every long file has a row, and every row a file', () => {
  const long = files.filter((name) => /\.long\b/.test(path.basename(name)));
  expect(ROWS.map((row) => row.long)).toEqual(long.toSorted());
});

test.each(ROWS)('$long is run by test:long, and only by it', ({ long }) => {
  // The patterns of vitest.config.ts and playwright.config.ts.
  expect(long).toMatch(/^test\/(?:e2e\/[\w/-]+\.long\.spec\.ts|(?!e2e\/)[\w/-]+\.long\.test\.ts)$/);
});

describe('the twins of a long test exist in npm test', () => {
  test.each(ROWS)('$long', ({ short }) => {
    const twins = [...short.matchAll(/`(test\/\S+)`/g)].map(([, name]) => name);
    for (const twin of twins) {
      expect(files).toContain(twin);
      expect(twin).toMatch(/(?<!\.long)\.(?:test|spec)\.tsx?$/);
    }
    expect(twins.length > 0 || short.includes('npm run conformance -- --brief')).toBe(true);
  });
});
