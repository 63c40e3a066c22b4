// Reading of an app's lines by the suite of SDK apps: `test/sdk/cells.ts`.
import { expect, test } from 'vitest';
import type { Said } from '../sdk/app.ts';
import { cellsOf, isComplete } from '../sdk/cells.ts';

const got = (topic: string, ...numbers: readonly number[]): Said[] => numbers.map((n) => ({ got: topic, n }));
const PUBLISHED: readonly Said[] = [
  { published: 1 },
  { published: 2 },
  { published: 3 },
  { published: 4 },
  { bulk: [5, 6] },
];
const GOOD: readonly Said[] = [
  ...PUBLISHED,
  ...got('orders', 1, 2, 2, 3, 4, 4, 4, 5, 6),
  ...got('dead', 3, 4),
];

test('an app that saw every event as often as it asked is complete', () => {
  expect(isComplete(GOOD)).toBe(true);
  expect(new Set(Object.values(cellsOf(GOOD)))).toEqual(new Set(['ok']));
});

test.each([
  ['publish', GOOD.filter(({ published }) => published !== 3), '3 not published'],
  ['delivered', [...GOOD, ...got('orders', 1)], '1: 2 times, not 1'],
  ['retried', [...GOOD, ...got('orders', 4)], '4: 4 times, not 3'],
  ['dropped', [...GOOD, ...got('orders', 3)], '3: 2 times, not 1'],
  ['bulk', GOOD.filter(({ n }) => n !== 6), '6: 0 times, not 1'],
  [
    'dead letter',
    GOOD.filter((line) => line.got !== 'dead'),
    '3 on the dead-letter topic: 0 times, not 1; 4',
  ],
] as const)('%s tells what is missing or too much', (name, said, text) => {
  expect(isComplete(said)).toBe(false);
  expect(cellsOf(said)[name]).toContain(text);
});

test('an error of the SDK has its text, and a feature that an SDK does not offer is no failure', () => {
  const refused = [...GOOD.filter(({ bulk }) => bulk === undefined), { failed: 'bulk', error: 'Unknown' }];
  expect(cellsOf(refused).bulk).toBe('Unknown');
  const absent = [...GOOD.filter(({ bulk }) => bulk === undefined), { absent: 'bulk' }];
  expect(cellsOf(absent).bulk).toBe('not offered');
  expect(isComplete(absent)).toBe(true);
});
