/** kill -9 right after the answer to each act on messages and deliveries, ten times: none may be lost. */
import { test } from 'vitest';
import { ON_MESSAGES } from './answered-acts-messages.ts';
import { lostInRow, nameOf } from './answered-acts.ts';

for (const act of ON_MESSAGES)
  test.concurrent(`ten times: ${nameOf(act)}`, async ({ expect }) => {
    expect(await lostInRow(act, 10)).toBe(0);
  });
