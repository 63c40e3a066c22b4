/**
 * State that survives a restart. Changes are written to the database in groups; an acceptance is answered
 * only when its group is on disk.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { errorText } from '../../contract/error-text.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { openDatabase } from './database.ts';

/** Prepares a statement by its text, once. */
export type Prepare = (sql: string) => StatementSync;

type Change = (prepare: Prepare) => void;

interface Acceptance {
  readonly change: Change;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 1000;
const MAX_STATEMENTS = 100;

/**
 * The store has two kinds of change. `note` is kept until it can be written. `accept` resolves when it is on
 * disk, or rejects and then counts for nothing. While notes cannot be written, `trouble` says why.
 */
export class RouterStore {
  readonly #clock: Clock;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly setAside: string | undefined;
  #notes: Change[] = [];
  #acceptances: Acceptance[] = [];
  #scheduled = false;
  #retry: Cancel | undefined;
  #trouble: string | undefined;
  #closed = false;

  constructor(folder: string | undefined, clock: Clock) {
    const opened = openDatabase(folder, clock.now());
    this.#clock = clock;
    this.#db = opened.db;
    this.setAside = opened.setAside;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  note(change: Change): void {
    this.#notes.push(change);
    this.#schedule();
  }

  accept(change: Change): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the router has stopped'));
    return new Promise((done, failed) => {
      this.#acceptances.push({ change, done, failed });
      this.#schedule();
    });
  }

  /** Stores a small value by kind and key. Undefined removes it. */
  keep(kind: string, key: string, value: unknown): void {
    const json = value === undefined ? undefined : JSON.stringify(value);
    this.note((prepare) => {
      if (json === undefined) prepare('DELETE FROM things WHERE kind = ? AND key = ?').run(kind, key);
      else prepare('INSERT OR REPLACE INTO things VALUES (?, ?, ?)').run(kind, key, json);
    });
  }

  /** All values of a kind, in the order of their keys. */
  kept(kind: string): readonly { readonly key: string; readonly value: unknown }[] {
    const rows = this.read('SELECT key, json FROM things WHERE kind = ? ORDER BY key', kind);
    return rows.map((row) => ({
      key: String(row['key']),
      value: JSON.parse(String(row['json'])) as unknown,
    }));
  }

  /** Rows of a query, which sees every earlier change. */
  read(sql: string, ...values: readonly (string | number)[]): readonly Record<string, unknown>[] {
    this.flush();
    return this.#prepare(sql).all(...values);
  }

  /** Writes the waiting changes now, so that a read sees them. */
  flush(): void {
    if (this.#closed || (this.#notes.length === 0 && this.#acceptances.length === 0)) return;
    const notes = this.#notes;
    const acceptances = this.#acceptances;
    this.#notes = [];
    this.#acceptances = [];
    try {
      this.#write([...notes, ...acceptances.map(({ change }) => change)]);
      for (const { done } of acceptances) done();
    } catch (error) {
      for (const { failed } of acceptances) failed(error);
      if (acceptances.length > 0) this.#again(notes);
      else this.#failed(notes, error);
    }
  }

  /** Writes all notes so far before an act is answered. A disk that refuses them gets them later. */
  written(): void {
    if (this.#retry === undefined) this.flush();
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#retry?.();
    this.#db.close();
  }

  /** Writes the notes without the acceptances, because the acceptances may be the cause of the failure. */
  #again(notes: readonly Change[]): void {
    try {
      if (notes.length > 0) this.#write(notes);
    } catch (error) {
      this.#failed(notes, error);
    }
  }

  #failed(notes: readonly Change[], error: unknown): void {
    this.#notes = [...notes, ...this.#notes];
    this.#trouble = errorText(error);
    this.#retry ??= this.#clock.at(this.#clock.now() + RETRY_MS, () => {
      this.#retry = undefined;
      this.flush();
    });
  }

  #write(changes: readonly Change[]): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const prepare: Prepare = (sql) => this.#prepare(sql);
      for (const change of changes) change(prepare);
      this.#db.exec('COMMIT');
      this.#trouble = undefined;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql) ?? this.#db.prepare(sql);
    // The number of statements is small, except for those of filters.
    if (this.#statements.size > MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, kept);
    return kept;
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    // Changes of one turn of the event loop form one group, which shares a sync.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#retry === undefined || this.#acceptances.length > 0) this.flush();
    });
  }
}
