/** Calls of batches in the file: each is stored once for all deliveries of its batch, and removed with the last of their attempts. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { independent } from '../../domain/codec.ts';
import type { BatchOp } from './records.ts';
import { numberIn } from './statements.ts';
import type { Totals } from './totals.ts';

/** Estimated bytes of a batch, without its texts. */
const BATCH_BYTES = 100;
/** Maximum number of batches that are found again without reading the file. */
const MAX_REMEMBERED = 100;

export class BatchTable {
  readonly #totals: Totals;
  readonly #numbers = new Map<string, number>();
  readonly #add: StatementSync;
  readonly #find: StatementSync;
  readonly #drop: StatementSync;

  /** @param totals count what is kept here too */
  constructor(db: DatabaseSync, totals: Totals) {
    this.#totals = totals;
    this.#add = db.prepare(
      'INSERT INTO batch (key, bytes, request, response) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#find = db.prepare('SELECT batch FROM batch WHERE key = ?');
    this.#drop = db.prepare(
      `DELETE FROM batch WHERE batch IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.batch = batch.batch) RETURNING bytes`,
    );
  }

  add([, key, request, response]: BatchOp): void {
    const bytes = BATCH_BYTES + request.length + (response?.length ?? 0);
    if (Number(this.#add.run(key, bytes, request, response).changes) > 0) this.#totals.bytes += bytes;
  }

  /** Number of the call with this key; null: there is none. */
  numberOf(key: string): number | null {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = numberIn(this.#find.get(key), 'batch');
    if (number === 0) return null;
    if (this.#numbers.size >= MAX_REMEMBERED) this.#numbers.clear();
    // The key is a part of the text of its whole batch.
    this.#numbers.set(independent(key), number);
    return number;
  }

  /** Removes those of these calls that no attempt has any more. */
  drop(numbers: readonly number[]): void {
    if (numbers.length === 0) return;
    this.#numbers.clear();
    for (const row of this.#drop.all(JSON.stringify(numbers))) this.#totals.bytes -= numberIn(row, 'bytes');
  }

  /** Forgets what is remembered, because a part of the transaction was rolled back. */
  forget(): void {
    this.#numbers.clear();
  }
}
