/** Random lives of messages: none is lost, none ends twice. The full count is in random.long.test.ts. */
import { expect, test } from 'vitest';
import { randomLives } from './random-lives.ts';

test('30 random lives', async () => {
  expect(await randomLives(30, { seed: 30 })).toBeUndefined();
});

test('30 random lives with a journal that takes records at once', async () => {
  expect(await randomLives(30, { seed: 30, takesAtOnce: true })).toBeUndefined();
});
