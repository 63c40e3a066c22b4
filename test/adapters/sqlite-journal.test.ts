// The journal on disk: what every journal does.
import { testFolder } from './sqlite-folder.ts';
import { journalSuite } from './journal.suite.ts';

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
