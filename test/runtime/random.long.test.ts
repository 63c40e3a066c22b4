/** Two thousand random lives; random.test.ts has some of them with every change. */
import { expect, test } from 'vitest';
import { randomLives } from './random-lives.ts';

test('2,000 random lives', async () => {
  expect(await randomLives(2000)).toBeUndefined();
}, 1_200_000);

test('2,000 random lives with a journal that takes records at once', async () => {
  expect(await randomLives(2000, { takesAtOnce: true })).toBeUndefined();
}, 1_200_000);
