/** The journal on disk does what every journal does. Its tests share threads; those of the other files start their own. */
import { afterAll, expect, test, vi } from 'vitest';

import type * as threadModule from '../../core/adapters/sqlite-journal/thread.ts';
import { journalSuite } from './journal.suite.ts';
import { testFolder } from './sqlite-folder.ts';

const kept = vi.hoisted(() => ({
  started: () => 0,
  endThreads: async (): Promise<void> => Promise.resolve(),
}));
vi.mock('../../core/adapters/sqlite-journal/thread.ts', async (load) => {
  const { keepThreads } = await import('./kept-threads.ts');
  const threads = keepThreads(await load<typeof threadModule>());
  Object.assign(kept, { started: threads.started, endThreads: threads.endThreads });
  return threads;
});

afterAll(() => kept.endThreads());

journalSuite('SQLite journal', async () => {
  const folder = await testFolder();
  const journal = await folder.open();
  return {
    journal,
    reopen: async () => {
      await journal.close();
      return folder.open();
    },
    dispose: () => folder.remove(),
  };
});

test('a closed journal leaves its threads to the next one', async () => {
  const folder = await testFolder();
  await (await folder.open()).close();
  const started = kept.started();
  await (await folder.open()).close();
  expect(started).toBeGreaterThan(0);
  expect(kept.started()).toBe(started);
  await folder.remove();
});
