/** Prepared statements by text; the least recently used ones are released. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Maximum number of statements, because each filter has its own. */
const MAX = 60;

export type Row = Record<string, SQLInputValue>;

export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  one(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /** Runs several statements on one snapshot. Keep it short: an open read keeps the write-ahead log from being reused. */
  atOneMoment<T>(read: () => T): T {
    this.#db.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  #statement(sql: string): StatementSync {
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size > MAX && oldest !== undefined) this.#prepared.delete(oldest);
    return statement;
  }
}
