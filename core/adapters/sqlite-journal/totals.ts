/** Counts over the whole file: kept in memory while it is open, saved with each group that changes them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { numberIn } from './statements.ts';

export class Totals {
  messages = 0;
  bytes = 0;
  #lastNumber = 0;
  #sequence = 0;
  #clean = 1;
  #saved = '';
  readonly #read: StatementSync;
  readonly #write: StatementSync;

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('SELECT messages, bytes, last_number, sequence, clean FROM totals');
    this.#write = db.prepare(
      'UPDATE totals SET messages = ?, bytes = ?, last_number = ?, sequence = ?, clean = ?',
    );
    this.reload();
  }

  /** A message of this number is there. */
  numbered(number: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, number);
  }

  /** This sequence number was given. */
  given(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  markClean(clean: boolean): void {
    this.#clean = Number(clean);
  }

  /** Inside the transaction of what changed them. */
  save(): void {
    const values = this.#values();
    const text = values.join();
    if (text === this.#saved) return;
    this.#write.run(...values);
    this.#saved = text;
  }

  /** Back to what is in the file. */
  reload(): void {
    const row = this.#read.get();
    this.messages = numberIn(row, 'messages');
    this.bytes = numberIn(row, 'bytes');
    this.#lastNumber = numberIn(row, 'last_number');
    this.#sequence = numberIn(row, 'sequence');
    this.#clean = numberIn(row, 'clean');
    this.#saved = this.#values().join();
  }

  #values(): number[] {
    return [this.messages, this.bytes, this.#lastNumber, this.#sequence, this.#clean];
  }
}
