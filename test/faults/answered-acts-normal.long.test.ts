/** kill -9 right after the answer to each act where no write waits for the disk, three times: none may be lost. */
import { test } from 'vitest';
import { IN_PROCESSES, lostActs, lostInRow, nameOf, TRIED } from './answered-acts.ts';

const NORMAL = ['--set', 'journal.sync=normal'];

for (const act of TRIED)
  test.concurrent(`three times: ${nameOf(act)}`, async ({ expect }) => {
    expect(await lostInRow(act, 3, NORMAL)).toBe(0);
  });

test('many acts in one process, killed after the last of them', async ({ expect }) => {
  for (const acts of IN_PROCESSES) expect(await lostActs(acts, 0, NORMAL)).toEqual([]);
});
