/** Keeps messages in memory and in SQLite, and asks both the same questions. */
import fc from 'fast-check';
import { expect } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { Statements } from '../../core/adapters/sqlite-journal/prepared.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import { migrate } from '../../core/adapters/sqlite-journal/schema.ts';
import { SqliteSearch } from '../../core/adapters/sqlite-journal/search.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import type { Journal, JournalRecord } from '../../core/ports/journal.ts';
import { filterNode, message, recordsOf } from './filter-samples.ts';
import { NOW_MS } from './journal-records.ts';

export interface Both {
  readonly memory: Journal;
  readonly search: SqliteSearch;
  close(): void;
}

export async function bothWith(records: readonly JournalRecord[]): Promise<Both> {
  const memory = createMemoryJournal({ codec: bufferCodec });
  await memory.append(records);
  const db = new (needSqlite().DatabaseSync)(':memory:');
  migrate(db, 'memory', () => undefined);
  const failures = new Tables(db)
    .write([opsOf(records, new RecentWires(0))])
    .filter((each) => each !== undefined);
  expect(failures).toEqual([]);
  return { memory, search: new SqliteSearch(new Statements(db)), close: () => db.close() };
}

const noBreath = async (): Promise<void> => undefined;

/** Every way of asking gives what the evaluator gives: `found` must equal `wanted`. */
export async function ask(
  { memory, search }: Both,
  filter: Filter,
  count: number,
): Promise<{ readonly found: readonly unknown[]; readonly wanted: readonly unknown[] }> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const wanted = [...(await memory.test(numbers, filter, NOW_MS))].toSorted((a, b) => a - b);
  const query = { filter, nowMs: NOW_MS } as const;
  const tested = search.test(numbers, filter, NOW_MS).toSorted((a, b) => a - b);
  const { numbers: scanned } = search.scan({ ...query, order: 'oldest', limit: 1000 });
  const { items, total } = await search.page({ ...query, order: 'newest', limit: 1000 }, noBreath);
  const paged = items.map((row) => row.number).toReversed();
  return { found: [tested, scanned, paged, total], wanted: [wanted, wanted, wanted, wanted.length] };
}

/**
 * Random filters over random messages. Rejects where memory and SQLite differ, with the smallest case.
 * @returns filters that were compared
 */
export async function sameAnswers(runs: number): Promise<number> {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 12 }),
      fc.array(filterNode, { minLength: 1, maxLength: 8 }),
      async (messages, roots) => {
        const both = await bothWith(recordsOf(messages));
        try {
          for (const root of roots) {
            const { found, wanted } = await ask(both, { isEmpty: false, root }, messages.length);
            expect(found).toEqual(wanted);
            compared += 1;
          }
        } finally {
          both.close();
        }
      },
    ),
    { numRuns: runs },
  );
  return compared;
}
