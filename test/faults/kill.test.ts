/** kill -9 of the product under load: a sample; the long suite does more of it. */
import { test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('3 times in a row, then everything is delivered', () => killRounds(3), 180_000);
