/** kill -9 of the product under load, many times. */
import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('20 times in a row, then everything is delivered', async () => {
  expect(await killRounds(20)).toMatchObject({ survived: true, lost: 0 });
});
