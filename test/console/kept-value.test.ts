/** A stored value: each caller of a store resolves when it is on disk, even two at the same time. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Method, Params } from '../../core/contract/console.ts';
import { KeptValue } from '../../core/console/saved/kept-value.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { inMemoryConsole } from './in-memory-console.ts';

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

test('while the disk is full, acts do not write a value again that waits for its time', async () => {
  const journal = new LastingJournal();
  const { value, clock } = wordsIn(journal);
  let appended = 0;
  const append = journal.append.bind(journal);
  journal.append = (records) => {
    appended += 1;
    return append(records);
  };
  journal.failure = new JournalError('full', 'the disk is full');
  await value.store(() => ['a']);
  for (let each = 0; each < 3; each += 1) await value.flush();
  expect(appended).toBe(1);
  clock.advance(1_000);
  await turn();
  expect(appended).toBe(2);
  journal.failure = undefined;
  await value.store((all) => [...all, 'b']);
  expect(await journal.kept('words')).toEqual(['a', 'b']);
  expect(clock.waiting).toBe(0);
});

const KEPT: readonly (readonly [key: string, method: Method, params: Params<Method>])[] = [
  ['requests', 'requests.save', { name: 'n', request: { pubsubname: 'pubsub', topic: 'orders' } }],
  ['requests.variables', 'requests.variables', { variables: { a: '1' } }],
  ['publish.drafts', 'drafts.set', { drafts: 'x' }],
  ['mock-app.presets', 'mockApp.savePreset', { title: 'n', rules: [] }],
  ['views', 'views.save', { name: 'n', filter: 'topic:a' }],
  ['schemas', 'schemas.set', { name: 'n', topic: 'orders', schema: true }],
];

test.each(KEPT)(
  '%s that the disk has refused is written at the stop, and waits no longer',
  async (key, method, params) => {
    const clock = new ManualClock();
    const bench = makeBench(clock);
    const { journal } = bench.runtime;
    const append = journal.append.bind(journal);
    let failure: JournalError | undefined = new JournalError('full', 'the disk is full');
    journal.append = async (records) => {
      if (failure !== undefined) throw failure;
      await append(records);
    };
    const { call, console } = inMemoryConsole(clock, bench);
    const waiting = clock.waiting;
    await call(method, params);
    expect(clock.waiting).toBe(waiting + 1);
    failure = undefined;
    await console.close();
    expect(await journal.kept(key)).toBeDefined();
    expect(clock.waiting).toBe(waiting);
  },
);

test('a value that the disk refuses at the stop too is not written after it', async () => {
  const journal = new LastingJournal();
  const { value, clock, lines } = wordsIn(journal);
  journal.failure = new JournalError('full', 'the disk is full');
  await value.store(() => ['a']);
  await value.close();
  await value.change(() => ['b']);
  await turn();
  expect(clock.waiting).toBe(0);
  expect(lines).toEqual(['Sidelight could not save words: the disk is full']);
});
