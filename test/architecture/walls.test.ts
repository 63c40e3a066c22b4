/** The walls between the rooms, and the proof that the check bites. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { cycles, edgesOfTable, loadedBy, violations } from './check.ts';
import { allEdges, edgesOf, hiddenCalls, ROOT, sourceFiles } from './graph.ts';
import { EXCEPTIONS, type Room, roomOf, ROOMS, SCHEMA_FILE, WITHOUT_SCHEMAS } from './rules.ts';

const files = sourceFiles();
const edges = allEdges(ROOT, files);
const PURE = [
  'core/contract',
  'core/domain',
  'core/ports',
  'core/runtime',
  'core/event-router/rules',
  'core/local-router/rules',
];

describe('the walls', () => {
  test('canary: files and imports are really read', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(edges.length).toBeGreaterThan(60);
  });

  test.each(['electron', 'react', 'vite', 'fastify', 'cloudevents', 'zustand', 'playwright'])(
    'package.json names %s, and code imports it',
    (name) => {
      const { dependencies, devDependencies }: Record<string, object> = JSON.parse(
        fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
      );
      expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
      expect(edges.some(({ kind, to }) => kind === 'package' && to === name)).toBe(true);
    },
  );

  test('no import is forbidden', () => {
    expect(violations(edges)).toEqual([]);
  });

  test('no files import each other in a cycle', () => {
    expect(cycles(edges.filter((edge) => edge.kind === 'file'))).toEqual([]);
  });

  test('the table has no cycle', () => {
    expect(cycles(edgesOfTable())).toEqual([]);
  });

  test('the table has no exception', () => {
    expect(EXCEPTIONS).toHaveLength(0);
  });

  test.each(Object.entries(ROOMS))('the compiler sees from %s only what the table allows', (name, room) => {
    const text = fs
      .readFileSync(path.join(ROOT, name, 'tsconfig.json'), 'utf8')
      .replaceAll(/^\s*\/\/.*$/gm, '');
    const { references }: { references: readonly { path: string }[] } = JSON.parse(text);
    const seen = references.map((reference) => path.posix.join(name, reference.path));
    expect(seen.sort()).toEqual([...room.rooms].sort());
  });

  test.each(WITHOUT_SCHEMAS)('%s has the types of the contract, and loads no schema', (room) => {
    expect(files).toContain(SCHEMA_FILE);
    expect(loadedBy(room, edges)).not.toContain(SCHEMA_FILE);
  });

  test('every file that the table names is used by a room that names it', () => {
    const named = Object.entries(ROOMS).flatMap(([name, room]) => {
      const { filesOnly = {} }: Room = room;
      return Object.values(filesOnly).flatMap((list) => list.map((file) => ({ name, file })));
    });
    expect(named.length).toBeGreaterThan(5);
    const used = new Set(edges.map(({ from, to }) => `${roomOf(from) ?? ''} ${to}`));
    const usable = new Set(
      named.filter(({ name, file }) => used.has(`${name} ${file}`)).map(({ file }) => file),
    );
    expect(named.map(({ file }) => file).filter((file) => !usable.has(file))).toEqual([]);
  });

  test('the inner rooms read no clock and load nothing unseen', () => {
    const inner = files.filter((file) => PURE.includes(roomOf(file) ?? ''));
    const calls = inner.flatMap((file) =>
      hiddenCalls(file, fs.readFileSync(path.join(ROOT, file), 'utf8')).map((call) => `${file}: ${call}`),
    );
    expect(calls).toEqual([]);
  });
});

describe('canary: the check finds violations', () => {
  test.each([
    ['core/contract/x.ts', `import { a } from '../domain/a.ts'`],
    ['core/contract/x.ts', `import { Object } from 'typebox'`],
    ['core/contract/schema.ts', `import fs from 'node:fs'`],
    ['core/domain/x.ts', `import { Object } from 'typebox'`],
    ['core/domain/x.ts', `import fs from 'node:fs'`],
    ['core/domain/x.ts', `import fs from 'fs'`],
    ['core/domain/x.ts', `const m = await import('fastify')`],
    ['core/domain/x.ts', `const m = await import(name)`],
    ['core/domain/x.ts', `import type { A } from '../runtime/a.ts'`],
    ['core/domain/x.ts', `type A = import('../runtime/a.ts').A`],
    ['core/ports/x.ts', `import { encode } from 'cloudevents'`],
    ['core/runtime/x.ts', `export * from '../adapters/redis.ts'`],
    ['core/runtime/x.ts', `export { a } from '../http/a.ts'`],
    ['core/http/x.ts', `import { r } from '../console/a.ts'`],
    ['core/console/x.ts', `import { r } from '../http/a.ts'`],
    ['core/adapters/one/x.ts', `import { r } from '../two/a.ts'`],
    ['core/adapters/stored/x.ts', `import { r } from '../two/a.ts'`],
    ['core/event-router/rules/x.ts', `import { createHash } from 'node:crypto'`],
    ['core/event-router/rules/x.ts', `import { a } from '../binding/a.ts'`],
    ['core/event-router/rules/x.ts', `import { a } from '../../router-protocol/tls-trust.ts'`],
    ['core/event-router/x.ts', `import { step } from '../domain/machine.ts'`],
    ['core/event-router/x.ts', `import { a } from '../runtime/a.ts'`],
    ['core/event-router/x.ts', `import { a } from '../local-router/local-router.ts'`],
    ['core/event-router/binding/x.ts', `import type { LocalRouter } from '../../ports/local-router.ts'`],
    ['core/event-router/client/x.ts', `import { a } from '../webhook/a.ts'`],
    ['core/event-router/webhook/x.ts', `import { a } from '../binding/a.ts'`],
    ['core/event-router/binding/x.ts', `import { a } from '../event-router.ts'`],
    ['core/local-router/rules/x.ts', `import fastify from 'fastify'`],
    ['core/local-router/x.ts', `import { verdictOf } from '../domain/verdict.ts'`],
    ['core/local-router/x.ts', `import { a } from '../event-router/rules/a.ts'`],
    ['core/local-router/x.ts', `import { a } from '../adapters/a.ts'`],
    ['core/local-router/topics/x.ts', `import { a } from '../engine/a.ts'`],
    ['core/local-router/engine/x.ts', `import { a } from '../edge/a.ts'`],
    ['core/local-router/edge/x.ts', `import { a } from '../dependencies.ts'`],
    ['core/router-protocol/x.ts', `import { a } from '../event-router/a.ts'`],
    ['core/adapters/one/x.ts', `import { a } from '../../event-router/rules/a.ts'`],
    ['core/runtime/x.ts', `import { a } from '../event-router/event-router.ts'`],
    ['core/console/x.ts', `import { a } from '../local-router/rules/simulate.ts'`],
    ['core/domain/x.ts', `import { a } from '../router-protocol/scope.ts'`],
    ['core/host/x.ts', `import { BrowserWindow } from 'electron'`],
    ['core/host/x.ts', `import { a } from '../../test/support/a.ts'`],
    ['electron/x.ts', `import { step } from '../core/domain/machine.ts'`],
    ['electron/preload/x.cts', `import { METHODS } from '../../core/contract/console.ts'`],
    ['renderer/x.ts', `import { step } from '../core/domain/machine.ts'`],
    ['renderer/x.tsx', `import '@codemirror/nothing'`],
    ['renderer/views/one/x.ts', `import { a } from '../two/a.ts'`],
    ['renderer/views/one/x.tsx', `import css from '../two/Two.module.css'`],
  ])('%s may not have: %s', (file, text) => {
    expect(violations(edgesOf(file, text))).toHaveLength(1);
  });

  test.each([
    ['core/contract/schema.ts', `import { Object } from 'typebox'`],
    ['core/domain/x.ts', `import { a } from '../contract/a.ts'`],
    ['core/console/x.ts', `import { timingSafeEqual } from 'node:crypto'`],
    ['core/adapters/registry.ts', `import { r } from './two/a.ts'`],
    ['core/adapters/one/x.ts', `import { r } from '../stored/a.ts'`],
    ['core/adapters/one/x.ts', `import { c } from '../buffer-codec.ts'`],
    ['core/event-router/console/x.ts', `import type { LocalRouter } from '../../ports/local-router.ts'`],
    ['core/event-router/rules/x.ts', `import { parseScope } from '../../router-protocol/scope.ts'`],
    ['core/event-router/x.ts', `import { isObject } from '../domain/json.ts'`],
    ['core/local-router/edge/x.ts', `import { a } from '../topics/a.ts'`],
    ['core/local-router/x.ts', `import { a } from './edge/a.ts'`],
    ['core/host/x.ts', `import { openEventRouter } from '../event-router/event-router.ts'`],
    ['electron/preload/x.cts', `import type { TextPipe } from '../../core/contract/rpc.ts'`],
    ['renderer/x.ts', `import { createRoot } from 'react-dom/client'`],
    ['renderer/views/one/x.ts', `import { a } from './parts/a.ts'`],
    ['renderer/views/one/x.tsx', `import css from '../page.module.css'`],
    ['test/x.ts', `import { anything } from 'vitest'`],
  ])('%s may have: %s', (file, text) => {
    expect(violations(edgesOf(file, text))).toEqual([]);
  });

  test('a schema that the page would load is found, however far away', () => {
    const shapes = edgesOf('core/contract/a.ts', `import { members } from './schema.ts'`);
    const types = edgesOf('renderer/x.ts', `import type { A } from '../core/contract/a.ts'`);
    const values = edgesOf('renderer/y.ts', `import { a } from '../core/contract/a.ts'`);
    expect(loadedBy('renderer', [...shapes, ...types])).not.toContain(SCHEMA_FILE);
    expect(loadedBy('renderer', [...shapes, ...types, ...values])).toContain(SCHEMA_FILE);
    // The bundler keeps such an import, without its names.
    const nameless = edgesOf('renderer/z.ts', `import { type A } from '../core/contract/a.ts'`);
    expect(loadedBy('renderer', [...shapes, ...nameless])).toContain(SCHEMA_FILE);
  });

  test('a cycle is found, wherever it is entered', () => {
    const loop = edgesOf('core/domain/b.ts', `import { a } from './c.ts'`);
    const back = edgesOf('core/domain/c.ts', `export type { B } from './b.ts'`);
    const into = edgesOf('core/domain/a.ts', `import './b.ts'`);
    expect(cycles([...into, ...loop, ...back])).toEqual([
      'core/domain/b.ts -> core/domain/c.ts -> core/domain/b.ts',
    ]);
    expect(cycles([...into, ...loop])).toEqual([]);
  });

  test.each(['new Date()', 'Date()', 'require("fs")'])('the hidden call %s is found', (call) => {
    expect(hiddenCalls('core/domain/x.ts', `const x = ${call};`)).toEqual([call]);
  });

  test('a date made from a number does not count as reading the clock', () => {
    expect(hiddenCalls('core/domain/x.ts', 'const x = new Date(ms).toISOString();')).toEqual([]);
  });
});
