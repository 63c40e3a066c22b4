/** What a person changed in a held delivery, on the tab Attempts: compared in full, or up to where both texts are known. */
import { expect, test } from 'vitest';
import { ChangedBody } from '../../renderer/components/detail/AttemptsTab.tsx';
import { changedBodies } from '../../renderer/format/changed-bodies.ts';
import { drawn, wordsOf } from './drawn.tsx';

const whole = { body: '{"n":1}' };

test('two whole bodies are laid out and compared in full', () => {
  expect(changedBodies(whole, { body: '{"n":2}' })).toEqual({
    before: '{\n  "n": 1\n}',
    after: '{\n  "n": 2\n}',
  });
});

test('a body that is known in part is compared with as much of the other one', () => {
  const start = { body: '{"n":2,"te', bodyTruncated: true };
  expect(changedBodies({ body: '{"n":1,"text":"whole"}' }, start)).toEqual({
    before: '{"n":1,"te',
    after: '{"n":2,"te',
    comparedLength: 10,
  });
  expect(changedBodies(start, whole)).toEqual({ before: start.body, after: whole.body, comparedLength: 10 });
});

test.each([
  ['says up to where it compares', true],
  ['says nothing of the kind where both texts are whole', undefined],
])('the list of changes %s', (_what, bodyTruncated) => {
  const edited = { body: 'x'.repeat(262_144), ...(bodyTruncated === true ? { bodyTruncated } : {}) };
  const words = wordsOf(drawn(<ChangedBody published={whole} edited={edited} />, {}));
  const note = 'Only the first 262,144 characters of both are compared. The Data tab shows both in full.';
  expect(words.includes(note)).toBe(bodyTruncated === true);
});
