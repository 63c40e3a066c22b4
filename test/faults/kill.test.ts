/** kill -9 of the product under load: a sample; the long suite does more of it. */
import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('everything is delivered after 3 kills of the product', async () => {
  expect(await killRounds(3)).toMatchObject({ survived: true, lost: 0 });
}, 180_000);
