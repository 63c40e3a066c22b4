/** kill -9 right after the answer to each act on what a person saves, ten times: none may be lost. */
import { test } from 'vitest';
import { lostInRow, nameOf, ON_SAVED } from './answered-acts.ts';

for (const act of ON_SAVED)
  test.concurrent(`ten times: ${nameOf(act)}`, async ({ expect }) => {
    expect(await lostInRow(act, 10)).toBe(0);
  });
