/** What the tables of a history must agree in, whatever was written and removed; and a reader of them who takes his time. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';

function reader(folder: string): DatabaseSync {
  return new (needSqlite().DatabaseSync)(join(folder, 'sidelight.db'), { readOnly: true });
}

/** Rows that there must not be, each named by what is wrong. */
const WRONG: Readonly<Record<string, string>> = {
  'the number of messages': 'SELECT messages FROM totals WHERE messages <> (SELECT count(*) FROM message)',
  'the bytes of all messages': `SELECT bytes FROM totals WHERE bytes <> (SELECT ifnull(sum(bytes), 0) FROM message)
    + (SELECT ifnull(sum(bytes), 0) FROM delivery) + (SELECT ifnull(sum(bytes), 0) FROM batch)`,
  'the newest number':
    'SELECT last_number FROM totals WHERE last_number < (SELECT ifnull(max(number), 0) FROM message)',
  'a message without its content':
    'SELECT number FROM message WHERE number NOT IN (SELECT number FROM content)',
  'what is left of removed messages': `SELECT number FROM content WHERE number NOT IN (SELECT number FROM message)
    UNION ALL SELECT number FROM delivery WHERE number NOT IN (SELECT number FROM message)
    UNION ALL SELECT number FROM attempt WHERE number NOT IN (SELECT number FROM message)
    UNION ALL SELECT number FROM transition WHERE number NOT IN (SELECT number FROM message)`,
  'the call of a batch without an attempt':
    'SELECT batch FROM batch WHERE batch NOT IN (SELECT batch FROM attempt WHERE batch IS NOT NULL)',
  'counters of a topic without messages': `SELECT pubsub, topic FROM tally t
    WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.pubsub = t.pubsub AND m.topic = t.topic)`,
  'counters by topic and state': `SELECT * FROM (
    SELECT pubsub, topic, app, subscribed, state, n FROM tally WHERE n <> 0
    EXCEPT SELECT * FROM counted
    UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT pubsub, topic, app, subscribed, state, n FROM tally))`,
};

/** The counters as the messages and deliveries themselves have them. */
const COUNTED = `WITH counted (pubsub, topic, app, subscribed, state, n) AS (
  SELECT d.pubsub, m.topic, d.app, d.subscribed, d.state, count(*)
  FROM delivery d JOIN message m USING (number) GROUP BY 1, 2, 3, 4, 5
  UNION ALL SELECT pubsub, topic, '', '', 'message', count(*) FROM message GROUP BY 1, 2
  UNION ALL SELECT pubsub, topic, '', '', 'delivered', count(*) FROM message m
  WHERE EXISTS (SELECT 1 FROM delivery d WHERE d.number = m.number) GROUP BY 1, 2
  UNION ALL SELECT pubsub, topic, '', '', 'replayed', count(*) FROM message m JOIN content c USING (number)
  WHERE c.row ->> '$.replayedAs' IS NOT NULL AND stage IS NULL AND coalesce(c.row ->> '$.tap', c.row ->> '$.expectedBy') IS NULL
    AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.number = m.number) GROUP BY 1, 2)`;

/** In what the tables of a folder do not agree; nothing: all is well. */
export function wrongIn(folder: string): readonly unknown[] {
  const db = reader(folder);
  try {
    const wrong: unknown[] = [];
    for (const [what, sql] of Object.entries(WRONG)) {
      const rows = db.prepare(`${COUNTED} ${sql}`).all();
      if (rows.length > 0) wrong.push({ what, rows: rows.slice(0, 3) });
    }
    const [check] = db.prepare('PRAGMA integrity_check(1)').all();
    if (check?.['integrity_check'] !== 'ok') wrong.push(check);
    return wrong;
  } finally {
    db.close();
  }
}

/** Bytes of the messages in the tables, one by one and together, and which of them may be removed. */
export function sizesIn(folder: string): {
  readonly bytes: number;
  readonly of: ReadonlyMap<number, number>;
  readonly removable: readonly number[];
} {
  const db = reader(folder);
  try {
    const rows = db
      .prepare(
        `SELECT number, standing, bytes + (SELECT ifnull(sum(d.bytes), 0) FROM delivery d WHERE d.number = m.number) AS size
         FROM message m ORDER BY number`,
      )
      .all();
    const of = new Map(rows.map((row) => [Number(row['number']), Number(row['size'])]));
    const removable = rows.filter((row) => row['standing'] === 0).map((row) => Number(row['number']));
    return { bytes: [...of.values()].reduce((sum, size) => sum + size, 0), of, removable };
  } finally {
    db.close();
  }
}

/** Somebody reads one state of the tables, while others come after it. */
export class Reading {
  readonly #db: DatabaseSync;
  readonly #seen: string;

  constructor(folder: string) {
    this.#db = reader(folder);
    this.#db.exec('BEGIN');
    this.#seen = this.#look();
  }

  /** True: the reader has seen the same to the end. */
  end(): boolean {
    try {
      return this.#look() === this.#seen;
    } finally {
      this.#db.close();
    }
  }

  #look(): string {
    const sql = `SELECT (SELECT count(*) FROM content) AS contents, (SELECT count(*) FROM transition) AS transitions,
      (SELECT group_concat(number) FROM (SELECT number FROM message ORDER BY number)) AS numbers, messages, bytes FROM totals`;
    return JSON.stringify(this.#db.prepare(sql).get());
  }
}
