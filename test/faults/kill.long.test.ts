/** kill -9 of the product under load, many times. */
import { test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('20 times in a row, then everything is delivered', () => killRounds(20));
