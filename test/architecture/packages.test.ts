/** Promises of package.json and the lockfile: versions, scripts, and that every platform can install. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './graph.ts';

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const json = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
const manifest: {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
} = JSON.parse(json('package.json'));
const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
  json('package-lock.json'),
);

/** Names that some package wants optionally and the lockfile does not hold: there, the next `npm ci` stops. */
function missingOptionals(packages: Readonly<Record<string, LockEntry>>): string[] {
  const held = (from: string, name: string): boolean => {
    // Node's own search: beside the package first, then one folder up at a time.
    for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/')))) {
      const place = `${base === '' || base.endsWith('/') ? base : `${base}/`}node_modules/${name}`;
      if (packages[place.replace('node_modules/node_modules/', 'node_modules/')]?.version !== undefined)
        return true;
      if (base === '') return false;
    }
  };
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) => (held(from, name) ? [] : [`${from} wants ${name}`])),
  );
}

const withAddress = (packages: Readonly<Record<string, LockEntry>>): string[] =>
  Object.entries(packages).flatMap(([name, entry]) => (entry.resolved?.includes('://') ? [name] : []));

describe('package.json', () => {
  test('pins every version exactly', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('runs every script through the launcher, without a shell feature', () => {
    const shape = /^node scripts\/run\.mjs [\w./-]+( [\w./-]+)*$/;
    expect(Object.entries(manifest.scripts).filter(([, line]) => !shape.test(line))).toEqual([]);
  });

  test.each(Object.entries(manifest.scripts))(
    'script %s names a file that exists or a dependency',
    (_, line) => {
      const target = line.split(' ')[2] ?? '';
      const place = /\.(ts|mjs)$/.test(target) ? target : `node_modules/${target}/package.json`;
      expect(fs.existsSync(path.join(ROOT, place))).toBe(true);
    },
  );
});

describe('package-lock.json', () => {
  test('holds every optional package with a version, for every platform', () => {
    expect(missingOptionals(lock.packages)).toEqual([]);
  });

  test('names no address of a registry', () => {
    expect(withAddress(lock.packages)).toEqual([]);
  });

  test('canary: a missing optional package and an address are found', () => {
    const wants = { optionalDependencies: { 'tool-win32': '1.0.0' } };
    expect(missingOptionals({ 'node_modules/tool': wants })).toEqual(['node_modules/tool wants tool-win32']);
    expect(
      missingOptionals({
        'node_modules/tool': wants,
        'node_modules/tool/node_modules/tool-win32': { version: '1.0.0' },
      }),
    ).toEqual([]);
    expect(
      missingOptionals({ 'node_modules/tool': wants, 'node_modules/tool-win32': { version: '1.0.0' } }),
    ).toEqual([]);
    expect(withAddress({ 'node_modules/a': { resolved: 'https://host.example/a.tgz' } })).toEqual([
      'node_modules/a',
    ]);
  });
});
