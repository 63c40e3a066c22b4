/** kill -9 of the product under load, many times. */
import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('everything is delivered after 20 kills of the product', async () => {
  expect(await killRounds(20)).toMatchObject({ survived: true, lost: 0 });
});
