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

test('a complete word that begins another one is left, also while its last letters are being asked for', () => {
  expect(begunWord(offered('re', 'replayed', 'replay'), 'replay', 6)).toBeUndefined();
  expect(begunWord(offered('re', 'replayed', 'replay'), 'repl', 4)?.insert).toBe('replayed');
});

test('an earlier filter that was offered completes no word', () => {
  const earlier = { ...offered('', 'topic:orders state:parked'), askedFor: undefined };
  expect(begunWord(earlier, 't', 1)).toBeUndefined();
});
