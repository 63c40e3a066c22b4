/** Notes of a start: each is said once in the terminal. */
import { expect, test } from 'vitest';
import { StartNotes } from '../../core/host/start-notes.ts';

test.each([
  ['prints them: the log says only what comes later', true, ['later.']],
  ['does not print them, as with --headless: the log says all', false, ['at the start.', 'later.']],
])('the text of the start %s', (_, isPrinted, logged) => {
  const said: string[] = [];
  const notes = new StartNotes(isPrinted);
  notes.add('at the start', (text) => said.push(text));
  notes.started();
  notes.add('later.', (text) => said.push(text));
  expect(said).toEqual(logged);
  expect(notes.all).toEqual(['at the start', 'later.']);
});
