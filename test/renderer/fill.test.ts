/** Facts in texts: one of a thing is said in the singular, in every text that counts. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fill } from '../../renderer/copy/fill.ts';

const COPY = fileURLToPath(new URL('../../renderer/copy/', import.meta.url));
const ROUTER_COPY = fileURLToPath(new URL('../../renderer/views/event-router/copy/', import.meta.url));

test('a word has the singular or plural of its number', () => {
  const text = '{n} {n:call waits|calls wait} for {who}';
  expect(fill(text, { n: 1, who: 'you' })).toBe('1 call waits for you');
  expect(fill(text, { n: '1', who: undefined })).toBe('1 call waits for –');
  expect(fill(text, { n: 0, who: 'you' })).toBe('0 calls wait for you');
  expect(fill(text, { n: '1,000', who: 'you' })).toBe('1,000 calls wait for you');
});

/** Every text of the console, with the file it is from. */
const TEXTS = [COPY, ROUTER_COPY].flatMap((folder) =>
  readdirSync(folder).flatMap((name) =>
    readFileSync(`${folder}${name}`, 'utf8')
      .split('\n')
      .map((line) => `${name}: ${line.trim()}`),
  ),
);

/** Numbers that the program sets, and that are never 1. */
const LIMITS = ['{n} drafts at a time', 'More than {n} parts', '{n} columns of your own', 'at most {n} ms'];

test('no text has a fixed plural for a number', () => {
  const plural = /\{n\} (?:changed |pinned |new |newer |held )?(?!(?:stands|has|is|was)\b)[a-z]+s\b/;
  expect(plural.test("'{n} new messages'")).toBe(true);
  expect(plural.test("'{n} new {n:message|messages}'")).toBe(false);
  const found = TEXTS.filter((line) => plural.test(line) && !LIMITS.some((each) => line.includes(each)));
  expect(found).toEqual([]);
});

// Sentences that people stumbled over, and what stands in their place.
test.each([
  ['are let go', "'Release {n} held {n:item|items}?'"],
  ['whose sidecar takes it', "Publish through this app's sidecar"],
  ['It is kept until', 'Waiting for {app} to report its subscriptions'],
  ['Waiting for the app on', "Can't reach the app on port {port}; retrying."],
  ['nothing given matches everything', 'Match all of these. Empty = any message.'],
  ['⚠ twice', "'Duplicate ID'"],
  ['messages are waiting', '{n} newer {n:message|messages}'],
  ['Mend the problems first', 'Fix errors to save'],
  ['not used, because of:', 'is not used. The reason is below.'],
  ['tab Envelope', 'The Envelope tab shows all its fields.'],
  ['did not take it', 'did not accept it'],
  ['takes topic', 'No known subscription matches topic'],
  ['was started again', 'Sidelight was restarted.'],
  ['none to be told of', 'all notifications are off'],
  ['waits for no answer', 'no call is running for this delivery'],
  ['needs its day', 'A time in a filter needs a date'],
  ['mistake of the set-up', 'a setup mistake'],
  ['without the time of the calls', 'not counting the calls themselves'],
  ['Write an app id', 'Enter an app id first.'],
])('no text has "%s", and one has "%s"', (before, now) => {
  expect(TEXTS.filter((line) => line.includes(before))).toEqual([]);
  expect(TEXTS.some((line) => line.includes(now))).toBe(true);
});
