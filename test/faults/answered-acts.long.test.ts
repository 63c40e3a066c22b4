/** kill -9 right after the answer to each act, ten times: none may be lost. */
import { expect, test } from 'vitest';
import { lostActs, lostInRow, nameOf, TRIED } from './answered-acts.ts';

test.each(TRIED.map((act) => [nameOf(act), act] as const))('ten times: %s', async (_, act) => {
  expect(await lostInRow(act, 10)).toBe(0);
});

test('many acts in one process, killed after the last of them', async () => {
  // Each of these takes the place of what another one did.
  const later = new Set<string>(['mockApp.usePreset', 'views.order', 'samples.remove']);
  for (const isLater of [false, true])
    expect(
      await lostActs(
        TRIED.filter(({ method }) => later.has(method) === isLater),
        0,
      ),
    ).toEqual([]);
});
