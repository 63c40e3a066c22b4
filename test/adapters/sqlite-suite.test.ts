/** The journal on disk does what every journal does. Its tests share threads; those of the other files start their own. */
import { afterAll, vi } from 'vitest';

import type * as threadModule from '../../core/adapters/sqlite-journal/thread.ts';
import { journalSuite } from './journal.suite.ts';
import { testFolder } from './sqlite-folder.ts';

const kept = vi.hoisted(() => ({ endThreads: async (): Promise<void> => Promise.resolve() }));
vi.mock('../../core/adapters/sqlite-journal/thread.ts', async (load) => {
  const { keepThreads } = await import('./kept-threads.ts');
  const threads = keepThreads(await load<typeof threadModule>());
  kept.endThreads = threads.endThreads;
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
