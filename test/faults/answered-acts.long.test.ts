/** kill -9 right after the answer to each act: none may be lost. Those that once were written behind their answer, ten times. */
import { expect, test } from 'vitest';
import { LATE, lostActs, nameOf, TRIED } from './answered-acts.ts';

test.each(TRIED.map((act) => [LATE.has(act.method) ? 10 : 1, nameOf(act), act] as const))(
  '%i times: %s',
  async (rounds, _, act) => {
    let lost = 0;
    for (let round = 0; round < rounds; round += 1) lost += (await lostActs([act], round)).length;
    expect(lost).toBe(0);
  },
);

test('many acts in one process, killed after the last of them', async () => {
  // Each of these takes the place of what another one did.
  const later = new Set<string>(['mockApp.usePreset', 'views.order']);
  for (const isLater of [false, true])
    expect(
      await lostActs(
        TRIED.filter(({ method }) => later.has(method) === isLater),
        0,
      ),
    ).toEqual([]);
});
