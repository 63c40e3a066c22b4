/** Packages that a headless start loads before its ready line: each costs memory and time of every start. */
import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT } from './graph.ts';

/** The program itself, and what it loads for `--headless` or with a window. */
const ENTRIES = ['core/host/cli.ts', 'core/host/compose.ts'];

/** Modules that the file needs at run time before it can be evaluated. */
function needs(file: string): readonly string[] {
  const { module } = parseSync(file, fs.readFileSync(path.join(ROOT, file), 'utf8'), {
    sourceType: 'module',
  });
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
  );
  return [...imported, ...exported];
}

function loadedFrom(entries: readonly string[]): {
  readonly files: Set<string>;
  readonly packages: Set<string>;
} {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of needs(file)) {
      if (name.startsWith('.')) waiting.push(path.posix.join(path.posix.dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files, packages };
}

test('a start loads these packages and no others', () => {
  expect([...loadedFrom(ENTRIES).packages].toSorted()).toEqual([
    '@bufbuild/re2',
    '@marcbachmann/cel-js',
    'chevrotain',
    'fastify',
    'ws',
  ]);
});

test('methods of the console, brokers on servers and the local router are loaded on first use', () => {
  const { files } = loadedFrom(ENTRIES);
  const late = [
    'core/console/console.ts',
    'core/adapters/redis-streams/pubsub.ts',
    'core/adapters/jetstream/pubsub.ts',
    'core/local-router/local-router.ts',
    'core/host/desktop.ts',
    'core/tap/tap.ts',
    'core/host/agents.ts',
    'core/host/mcp-command.ts',
    'core/mcp/server.ts',
  ];
  expect(late.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(late.filter((file) => files.has(file))).toEqual([]);
  expect(files).toContain('core/http/publish.ts');
});
