/** Calls of batches in the file: once for all deliveries that were in one, gone with the last of their attempts. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { BatchOp } from './records.ts';
import { numberIn } from './statements.ts';
import type { Totals } from './totals.ts';

/** Room beside the texts. */
const BATCH_BYTES = 100;
/** Batches that are found again without a look into the file. */
const MOST_REMEMBERED = 100;

export class BatchTable {
  readonly #totals: Totals;
  readonly #places = new Map<string, number>();
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

  /** Where the call of that key is; null: it is not there. */
  placeOf(key: string): number | null {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = numberIn(this.#find.get(key), 'batch');
    if (place === 0) return null;
    if (this.#places.size >= MOST_REMEMBERED) this.#places.clear();
    this.#places.set(key, place);
    return place;
  }

  /** Attempts that had these calls are gone: so are those that no other has. */
  drop(places: readonly number[]): void {
    if (places.length === 0) return;
    this.#places.clear();
    for (const row of this.#drop.all(JSON.stringify(places))) this.#totals.bytes -= numberIn(row, 'bytes');
  }

  /** Something was taken back. */
  forget(): void {
    this.#places.clear();
  }
}
