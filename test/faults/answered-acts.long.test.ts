/**
 * kill -9 right after the answer to each act on what a person sets up, ten times: none may be lost. Each act has products of its own, so
 * several are tried at once. Acts on messages, and on what is saved, have files of their own: each takes minutes.
 */
import { test } from 'vitest';
import { IN_PROCESSES, lostActs, lostInRow, nameOf, ON_SETUP } from './answered-acts.ts';

for (const act of ON_SETUP)
  test.concurrent(`ten times: ${nameOf(act)}`, async ({ expect }) => {
    expect(await lostInRow(act, 10)).toBe(0);
  });

test('many acts in one process, killed after the last of them', async ({ expect }) => {
  for (const acts of IN_PROCESSES) expect(await lostActs(acts, 0)).toEqual([]);
});
