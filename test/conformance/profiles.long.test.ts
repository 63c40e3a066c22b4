/** Every case in every profile: `npm test` tries in further profiles only the cases that expect something else there. */
import { expect, test } from 'vitest';
import { main } from './main.ts';

test('every case passes in every profile', async () => {
  const lines: string[] = [];
  const status = await main(['--quiet'], { print: (line) => lines.push(line) });
  expect([status, ...lines.slice(0, -1)]).toEqual([0]);
  expect(lines.at(-1)).toMatch(/^conformance: \d{4,} passed, 0 failed/);
}, 3_600_000);
