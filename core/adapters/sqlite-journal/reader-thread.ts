/** The thread that reads; what it does is in reader.ts and search.ts. */
import { JournalError } from '../../ports/journal.ts';
import { columnValuesOf } from './column-values.ts';
import { summariesOf } from './summaries.ts';
import { openReadOnly } from './open-read-only.ts';
import type { ReadOnlyFile } from './open-read-only.ts';
import { Statements } from './prepared.ts';
import { SqliteReader } from './reader.ts';
import type { ReaderRequests } from './requests.ts';
import { SqliteSearch } from './search.ts';
import { serve, reportStep } from './serve.ts';
import { totalsOfFile } from './topic-totals.ts';
import { needSqlite } from './sqlite.ts';

/** Messages of one slice of the unfinished ones: their bodies are in memory together. */
const UNFINISHED = 100;
const CACHE_KIB = 16_384;
const BUSY_MS = 2000;

interface Open {
  readonly close: () => void;
  readonly statements: Statements;
  readonly reader: SqliteReader;
  readonly search: SqliteSearch;
}

let open: Open | undefined;
let where = '';

serve<ReaderRequests>(
  {
    open: ({ file, how }) => {
      where = file;
      const { db, close } = how === 'read-only' ? openReadOnly(file, reportStep) : connect(file);
      try {
        db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
        const statements = new Statements(db);
        open = {
          close,
          statements,
          reader: new SqliteReader(statements),
          search: new SqliteSearch(statements),
        };
      } catch (error) {
        // All connections of a process share the index of the log: one that stays would keep that of a log which is gone.
        close();
        throw error;
      }
      return null;
    },
    page: (query, yieldToOthers) => need().search.page(query, yieldToOthers),
    scan: (query) => need().search.scan(query),
    test: ({ numbers, filter, nowMs }) => need().search.test(numbers, filter, nowMs),
    get: (messageId) => need().reader.get(messageId),
    details: (numbers) => need().reader.details(numbers),
    messageOfDelivery: (deliveryId) => need().reader.messageOfDelivery(deliveryId),
    rows: (numbers) => need().reader.rows(numbers),
    summaries: ({ numbers, facets }) => summariesOf(need().statements, numbers, facets),
    columnValues: ({ numbers, column }) => columnValuesOf(need(), numbers, column),
    kept: (key) => need().reader.kept(key),
    lastSequence: () => need().reader.lastSequence(),
    stats: () => need().reader.stats(),
    totals: (maybeElsewhere) => totalsOfFile(need().statements, maybeElsewhere),
    unfinished: ({ after, last }) => need().reader.unfinished(after, last, UNFINISHED),
    close: () => {
      open?.close();
      open = undefined;
      return null;
    },
  },
  () => where,
);

function need(): Open {
  if (open === undefined) throw new JournalError('closed', 'the history is closed');
  return open;
}

function connect(file: string): ReadOnlyFile {
  const { DatabaseSync } = needSqlite();
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  return { db, close: () => db.close() };
}
