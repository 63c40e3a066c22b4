/** The panel of the start says that nothing was lost only where the start found everything. */
import { expect, test } from 'vitest';
import { NOTHING_FOUND, startReport } from '../../core/runtime/lifecycle/start-report.ts';
import { Found, lostNothing } from '../../renderer/frame/StartInfo.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const AT = '2026-03-01T10:00:00.000Z';
const start = startReport({ ...NOTHING_FOUND, kept: 5, ended: 4 }, AT);

test('a start that read everything lost nothing', () => {
  expect(lostNothing({ start, banners: [] })).toBe(true);
});

test('a start with a message that could not be read does not say that nothing was lost, as its banner does not', () => {
  const damaged = startReport({ ...NOTHING_FOUND, kept: 5, damaged: 2 }, AT);
  expect(damaged.text).toContain('2 messages could not be read as written and are not delivered.');
  expect(lostNothing({ start: damaged, banners: [] })).toBe(false);
});

test('a start that set a damaged file aside does not say that nothing was lost', () => {
  const banners = [{ id: 'journal-0', text: 'The history was damaged.', level: 'warn' as const }];
  expect(lostNothing({ start, banners })).toBe(false);
});

test('the report of a start promises no more than the disk does', () => {
  const cut = { ...NOTHING_FOUND, kept: 1, ended: 1, wasCut: true };
  expect(startReport(cut, AT, { sync: 'full' }).text).toBe(
    'Sidelight did not end cleanly before this start; the history has 1 message. Of the messages and deliveries 1 was finished before. No message that Sidelight accepted is missing.',
  );
  expect(startReport(cut, AT, { sync: 'normal' }).text).toContain(
    'is missing, unless the power failed: with journal.sync normal',
  );
  expect(startReport({ ...cut, wasCut: false }, AT, { sync: 'normal' }).text).toContain(
    'accepted is missing.',
  );
});

test('the report of a start names the messages that no app got and that were replayed', () => {
  const found = { ...NOTHING_FOUND, kept: 14, ended: 2, none: 1 };
  expect(startReport({ ...found, replayed: 11 }, AT).text).toContain(
    'Of the messages and deliveries 2 were finished before, 1 has no subscription, 11 had no subscription and were replayed. No message',
  );
  expect(startReport({ ...found, replayed: 1 }, AT).text).toContain(
    '1 had no subscription and was replayed. No message',
  );
});

test('the report of a start that could not take in some records does not say that no message is missing', () => {
  const cut = { ...NOTHING_FOUND, kept: 1, ended: 1, wasCut: true };
  const { text } = startReport(cut, AT, { mayMiss: true });
  expect(text).toContain('Messages may be missing: a warning says which file could not be read.');
  expect(text).not.toContain('No message');
});

test('the panel of the start has every number of its banner', () => {
  const parts = [
    'requeued',
    'wentOn',
    'republished',
    'held',
    'parked',
    'ended',
    'none',
    'replayed',
    'damaged',
  ];
  const numbers = Object.fromEntries(['kept', ...parts].map((part, index) => [part, 101 + index]));
  const told = startReport({ ...NOTHING_FOUND, ...numbers }, AT);
  const panel = wordsOf(drawn(<Found start={told} />, {}));
  for (const [part, n] of Object.entries(numbers)) {
    expect(told.text, `${part} in the banner`).toContain(`${n} `);
    expect(panel, `${part} in the panel`).toContain(`: ${n}.`);
  }
});
