// The program as it is built: few files for each start, and the licence texts of what is inside them.
import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const FOLDER = path.join(ROOT, 'dist', 'program');

/** Files and packages that are loaded before the first line of the entry runs. */
function loadedFrom(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = fs.readFileSync(path.join(FOLDER, 'host', file), 'utf8');
    for (const { moduleRequest } of parseSync(file, text, { sourceType: 'module' }).module.staticImports) {
      const name = moduleRequest.value;
      if (name.startsWith('./')) files.add(name.slice(2));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files, packages };
}

test.each(['cli.js', 'library.js'])('%s loads few files, and no package beside them', (entry) => {
  const { files, packages } = loadedFrom(entry);
  expect([...packages]).toEqual([]);
  expect(files.size).toBeLessThan(60);
});

test('the licence texts of the packages inside come along', () => {
  const texts = fs.readFileSync(path.join(FOLDER, 'licenses.md'), 'utf8');
  const named = [...texts.matchAll(/^## (\S+) - /gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(['chevrotain', 'fastify', 'semver', 'ws']));
});

test('files named in package.json are built, and are in the package', () => {
  const { bin, exports, files }: Manifest = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
  const offered = [...Object.values(bin), ...Object.values(exports).flatMap((target) => pathsOf(target))];
  expect(offered.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
  // npm packs the manifest by itself.
  const packed = (file: string): boolean =>
    file === 'package.json' ||
    (files.some((name) => isIn(name, file)) &&
      !files.some((name) => name.startsWith('!') && isIn(name.slice(1), file)));
  expect(offered.map((file) => path.posix.normalize(file)).filter((file) => !packed(file))).toEqual([]);
});

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly files: readonly string[];
}

const pathsOf = (target: string | Readonly<Record<string, string>>): readonly string[] =>
  typeof target === 'string' ? [target] : Object.values(target);
const isIn = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);
