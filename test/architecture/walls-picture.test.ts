/** The picture of the walls in docs/architecture.md is the one of today's import table. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './graph.ts';
import { ROOMS } from './rules.ts';
import { drawWalls, withWalls } from './walls-picture.ts';

const doc = readFileSync(path.join(ROOT, 'docs', 'architecture.md'), 'utf8');

test('docs/architecture.md shows the walls of today', () => {
  expect(withWalls(doc), 'the picture is old: npm run walls draws it again').toBe(doc);
});

test('canary: a wall that moved makes the picture old', () => {
  const moved = { ...ROOMS, 'core/http': { ...ROOMS['core/http'], rooms: ['core/contract'] as const } };
  expect(withWalls(doc, moved)).not.toBe(doc);
});

test('canary: a document without its marks is refused', () => {
  expect(() => withWalls('# Architecture')).toThrow('lacks');
});

test('a small table is drawn with its marks', () => {
  const table = {
    'core/contract': { rooms: [], packages: [] },
    'core/domain': { rooms: ['core/contract'], packages: [] },
    'core/ports': {
      rooms: ['core/contract', 'core/domain'],
      filesOnly: { 'core/domain': ['core/domain/json.ts'] },
      typesOnly: ['core/contract'],
      packages: [],
    },
  } as const;
  expect(drawWalls(table).split('\n')).toEqual([
    'floor',
    '    2  core/ports',
    '    1  core/domain',
    '    0  core/contract',
    '',
    'floor     may import      1  2  3',
    '    0   1 core/contract   \\  .  .',
    '    1   2 core/domain     X  \\  .',
    '    2   3 core/ports      t  f  \\',
  ]);
});
