/** Reads the journal only once it is up to date, because views hear of a change before its records are written. */
import type { Journal } from '../../ports/journal.ts';

export type ReadForViews = Pick<Journal, 'scan' | 'test' | 'summaries' | 'columnValues'>;

/** @param caughtUp resolves when the journal has what happened before, or refuses it for now */
export function readAfter(journal: ReadForViews, caughtUp: () => Promise<boolean>): ReadForViews {
  return {
    async scan(query) {
      await caughtUp();
      return journal.scan(query);
    },
    async test(...asked) {
      await caughtUp();
      return journal.test(...asked);
    },
    async summaries(...asked) {
      await caughtUp();
      return journal.summaries(...asked);
    },
    async columnValues(...asked) {
      await caughtUp();
      return journal.columnValues(...asked);
    },
  };
}
