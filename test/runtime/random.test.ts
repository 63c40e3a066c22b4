/** Random lives of messages: none is lost, none ends twice. The full count is in random.long.test.ts. */
import { expect, test } from 'vitest';
import { randomLives } from './random-lives.ts';

test('no message of 30 random lives is lost or ends twice', async () => {
  expect(await randomLives(30, { seed: 30 })).toBeUndefined();
});

test('no message of 30 random lives with a synchronous journal is lost or ends twice', async () => {
  expect(await randomLives(30, { seed: 30, takesAtOnce: true })).toBeUndefined();
});
