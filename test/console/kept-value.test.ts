/** A value that is kept: whoever asked for it to be stored is told when it is on disk, also when two did so at once. */
import { expect, test } from 'vitest';
import { KeptValue } from '../../core/console/saved/kept-value.ts';
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
