/** Fields of a form over a value that another window changes meanwhile: nothing typed is lost, and nothing is replaced unseen. */
import { expect, test } from 'vitest';
import { otherText } from '../../renderer/components/ChangedElsewhere.tsx';
import {
  afterSave,
  beginWith,
  changedElsewhere,
  following,
  hasUnseen,
  isTypedOn,
  withOther,
  withOwn,
} from '../../renderer/components/shared-fields.ts';

const BEFORE = { name: 'orders', filter: 'topic:a', steps: [1] };
const typed = { ...beginWith(BEFORE), draft: { ...BEFORE, filter: 'topic:mine' } };

test('a field that was not edited follows the value, and an edited one stays as it was typed', () => {
  const now = { name: 'theirs', filter: 'topic:a', steps: [1, 2] };
  const after = following(typed, now);
  expect(after.draft).toEqual({ name: 'theirs', filter: 'topic:mine', steps: [1, 2] });
  expect(after.given).toEqual(now);
  expect(changedElsewhere(typed, now)).toEqual([]);
  expect(following(after, { ...now })).toBe(after);
});

test('a field that both changed is named, until one of them is chosen', () => {
  const now = { ...BEFORE, filter: 'topic:theirs' };
  expect(following(typed, now)).toBe(typed);
  expect(changedElsewhere(typed, now)).toEqual(['filter']);
  const other = withOther(typed, now, 'filter');
  expect([other.draft.filter, other.given.filter, changedElsewhere(other, now)]).toEqual([
    'topic:theirs',
    'topic:theirs',
    [],
  ]);
  const own = withOwn(typed, now, 'filter');
  expect([own.draft.filter, own.given.filter, changedElsewhere(own, now)]).toEqual([
    'topic:mine',
    'topic:a',
    [],
  ]);
});

test('each value that was taken replaces what a field shows, also one with which it began', () => {
  const theirs = { ...BEFORE, filter: 'topic:theirs' };
  const own = withOwn(typed, theirs, 'filter');
  const other = withOther(own, BEFORE, 'filter');
  expect(other.given.filter).toBe(own.given.filter);
  expect([own.taken, other.taken]).toEqual([{}, { filter: 1 }]);
  expect(following(typed, { ...BEFORE, name: 'theirs' }).taken).toEqual({});
});

test('the same change in both windows is none to choose between', () => {
  const now = { ...BEFORE, filter: 'topic:mine' };
  expect(changedElsewhere(typed, now)).toEqual([]);
  expect(following(typed, now).base.filter).toBe('topic:mine');
});

test('a change counts as unseen until the form has shown it', () => {
  const now = { ...BEFORE, filter: 'topic:theirs' };
  expect(hasUnseen(typed, BEFORE, now)).toBe(true);
  expect(hasUnseen(typed, undefined, now)).toBe(true);
  expect(hasUnseen(typed, now, now)).toBe(false);
  expect(hasUnseen(typed, now, { ...now, filter: 'topic:newer' })).toBe(true);
  expect(hasUnseen(typed, BEFORE, { ...BEFORE, name: 'theirs' })).toBe(false);
});

test('the other value is shown as text, and an empty one in a word', () => {
  expect(['topic:a', '', [1], 5, '{\n  "a": 1\n}'].map(otherText)).toEqual([
    'topic:a',
    'nothing',
    '[1]',
    '5',
    '{ "a": 1 }',
  ]);
});

test('a save leaves what was typed since, and the value in the other fields', () => {
  const sent = typed.draft;
  const since = { ...typed, draft: { ...sent, name: 'typed on' } };
  const saved = { ...sent, steps: [1, 2] };
  const after = afterSave(since, sent, saved);
  expect(after.draft).toEqual({ ...saved, name: 'typed on' });
  expect(changedElsewhere(after, saved)).toEqual([]);
  expect(afterSave(typed, sent, saved)).toMatchObject({ base: saved, draft: saved });
  expect(changedElsewhere(after, { ...saved, name: 'theirs' })).toEqual(['name']);
  expect(isTypedOn(since.draft, sent, saved)).toBe(true);
  // Steps of the other window, which were saved too, were not typed here.
  expect(isTypedOn({ ...sent, steps: [1, 2] }, sent, saved)).toBe(false);
});
