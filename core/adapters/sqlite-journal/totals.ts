/** Counts over the whole file: kept in memory while it is open, saved with the commit of what changed them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { numberIn, textIn } from './statements.ts';

export class Totals {
  messages = 0;
  bytes = 0;
  #lastNumber = 0;
  #sequence = 0;
  #folded = 0;
  #name = '';
  #clean = 1;
  #saved = '';
  readonly #read: StatementSync;
  readonly #write: StatementSync;

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('SELECT messages, bytes, last_number, sequence, clean, folded, name FROM totals');
    this.#write = db.prepare(
      'UPDATE totals SET messages = ?, bytes = ?, last_number = ?, sequence = ?, clean = ?, folded = ?, name = ?',
    );
    this.reload();
  }

  /** A message of this number is there. */
  numbered(number: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, number);
  }

  /** Number of the newest message that was ever there. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Notes a sequence number that was given. */
  given(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  markClean(clean: boolean): void {
    this.#clean = Number(clean);
  }

  /** The tables have the frames of the newest records up to this one. */
  get folded(): number {
    return this.#folded;
  }

  /** Ties the file of the newest records to this one. */
  get name(): string {
    return this.#name;
  }

  /** Notes whose newest records go on here, and that the frames up to this number enter the tables with the next save. */
  continueFrom(name: string, folded: number): void {
    this.#name = name;
    this.#folded = folded;
  }

  /** Inside the transaction of what changed them. */
  save(): void {
    const values = this.#values();
    const text = values.join();
    if (text === this.#saved) return;
    this.#write.run(...values);
    this.#saved = text;
  }

  /** The totals before a group, for `back`. */
  mark(): readonly number[] {
    return [this.messages, this.bytes, this.#lastNumber, this.#sequence];
  }

  /** The group since that mark was not committed. */
  back([messages = 0, bytes = 0, lastNumber = 0, sequence = 0]: readonly number[]): void {
    this.messages = messages;
    this.bytes = bytes;
    this.#lastNumber = lastNumber;
    this.#sequence = sequence;
  }

  /** Back to what is in the file. */
  reload(): void {
    const row = this.#read.get();
    this.messages = numberIn(row, 'messages');
    this.bytes = numberIn(row, 'bytes');
    this.#lastNumber = numberIn(row, 'last_number');
    this.#sequence = numberIn(row, 'sequence');
    this.#clean = numberIn(row, 'clean');
    this.#folded = numberIn(row, 'folded');
    this.#name = textIn(row, 'name');
    this.#saved = this.#values().join();
  }

  #values(): (number | string)[] {
    const counts = [this.messages, this.bytes, this.#lastNumber, this.#sequence, this.#clean];
    return [...counts, this.#folded, this.#name];
  }
}
