/** Two thousand random lives; random.test.ts has some of them with every change. */
import { expect, test } from 'vitest';
import { randomLives } from './random-lives.ts';

test('no message of 2,000 random lives is lost or ends twice', async () => {
  expect(await randomLives(2000)).toBeUndefined();
}, 1_200_000);

test('no message of 2,000 random lives with a synchronous journal is lost or ends twice', async () => {
  expect(await randomLives(2000, { takesAtOnce: true })).toBeUndefined();
}, 1_200_000);
