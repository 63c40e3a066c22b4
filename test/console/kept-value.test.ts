/** A stored value: each caller of a store resolves when it is on disk, even two at the same time. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KeptValue } from '../../core/console/saved/kept-value.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('two stores at the same time resolve only when both are on disk', async () => {
  let write: () => void = () => undefined;
  const journal = new LastingJournal();
  const append = journal.append.bind(journal);
  const mayWrite = new Promise<void>((go) => (write = go));
  journal.append = async (records) => {
    await mayWrite;
    await append(records);
  };
  const log = { write: () => undefined };
  const value = new KeptValue<readonly string[]>(
    { journal, clock: new ManualClock(), log },
    'words',
    () => [],
  );
  const told: string[] = [];
  const stored = ['a', 'b'].map((word) =>
    value.store((all) => [...all, word]).then(() => void told.push(word)),
  );
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(told).toEqual([]);
  write();
  await Promise.all(stored);
  expect(await journal.kept('words')).toEqual(['a', 'b']);
});

function wordsIn(journal: LastingJournal): {
  readonly value: KeptValue<readonly string[]>;
  readonly clock: ManualClock;
  readonly lines: string[];
} {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = { write: (_level: string, _source: string, text: string) => void lines.push(text) };
  const read = (kept: unknown): readonly string[] => (Array.isArray(kept) ? kept.map(String) : []);
  return { value: new KeptValue({ journal, clock, log }, 'words', read), clock, lines };
}

test('a value that the disk refuses is written once the disk has room, and said once', async () => {
  const journal = new LastingJournal();
  const { value, clock, lines } = wordsIn(journal);
  journal.failure = new JournalError('full', 'the disk is full');
  await value.store(() => ['a']);
  for (let each = 0; each < 3; each += 1) {
    clock.advance(1_000);
    await turn();
  }
  expect(lines).toEqual(['Sidelight could not save words: the disk is full']);
  journal.failure = undefined;
  clock.advance(1_000);
  await turn();
  expect(await journal.kept('words')).toEqual(['a']);
  expect(clock.waiting).toBe(0);
});

test('a value is not written again to a journal that is closed', async () => {
  const journal = new LastingJournal();
  const { value, clock } = wordsIn(journal);
  journal.failure = new JournalError('closed', 'the journal is closed');
  await value.store(() => ['a']);
  expect(clock.waiting).toBe(0);
});

test('a value that could not be read is read again with the next call', async () => {
  const journal = new LastingJournal();
  await journal.append([{ kind: 'kept', key: 'words', value: ['a'] }]);
  const { value } = wordsIn(journal);
  journal.unkept = new Error('too many open files');
  await expect(value.get()).rejects.toThrow('too many open files');
  journal.unkept = undefined;
  expect(await value.get()).toEqual(['a']);
});
