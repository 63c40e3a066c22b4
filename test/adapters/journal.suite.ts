/** The suite of every journal; each implementation runs it with an empty journal of its own. */
import { afterEach, beforeEach, describe } from 'vitest';

import type { Journal } from '../../core/ports/journal.ts';
import { briefTests } from './journal-brief.ts';
import { batchTests } from './journal-batches.ts';
import { keepingTests } from './journal-keeping.ts';
import type { Current } from './journal-records.ts';
import { readingTests } from './journal-reading.ts';
import { rewritingTests } from './journal-rewriting.ts';
import { writingTests } from './journal-writing.ts';

export interface JournalUnderTest {
  readonly journal: Journal;
  /** Opens the journal again as a new process does after the first ended; absent where nothing survives. */
  readonly reopen?: () => Promise<Journal>;
  /** Removes what the journal left outside the process. */
  readonly dispose?: () => Promise<void>;
}

export function journalSuite(name: string, open: () => Promise<JournalUnderTest>): void {
  describe(`ports/journal: ${name}`, () => {
    let subject: JournalUnderTest | undefined;
    const current: Current = () => {
      if (subject === undefined) throw new Error('no journal is open');
      return subject.journal;
    };

    beforeEach(async () => {
      subject = await open();
    });
    afterEach(async () => {
      await subject?.journal.close();
      await subject?.dispose?.();
      subject = undefined;
    });

    writingTests(current, () => subject?.reopen);
    rewritingTests(current, () => subject?.reopen);
    readingTests(current);
    briefTests(current);
    keepingTests(current);
    batchTests(current, () => subject?.reopen);
  });
}
