/** Tab completes the word that is begun, and moves on behind a complete one. */
import { expect, test } from 'vitest';
import { begunWord } from '../../renderer/format/begun-word.ts';

const offered = (askedFor: string, ...inserts: readonly string[]) => ({
  items: inserts.map((insert) => ({ from: askedFor.lastIndexOf(' ') + 1, insert })),
  askedFor,
  isWhole: false,
});

test.each([
  ['st', 'st', 'state:'],
  ['s', 'sta', 'state:'],
  ['topic:x s', 'topic:x st', 'state:'],
  ['s', 'state:', undefined],
  ['s', 'sx', undefined],
  ['s', 's ', undefined],
  ['sta', 'st', undefined],
])('suggestions for "%s", when "%s" is there, write %s', (askedFor, text, insert) => {
  const suggested = offered(askedFor, ...(askedFor === 'st' ? [] : ['source:']), 'state:');
  expect(begunWord(suggested, text, text.length)?.insert).toBe(insert);
});

test('a word that is complete, or not begun, is left', () => {
  expect(begunWord({ ...offered('st', 'state:'), isWhole: true }, 'st', 2)).toBeUndefined();
  expect(begunWord(offered('', 'state:'), '', 0)).toBeUndefined();
});
