/** Saves what a damaged file keeps beside the messages: settings, holds, rules, saved views. One bad page must not cost all of it. */
import type { DatabaseSync } from 'node:sqlite';

import type { Row } from './prepared.ts';
import { codeOf } from './sqlite.ts';
import { maybeTextIn, numberIn, textIn } from './statements.ts';

export interface SavedKept {
  readonly values: ReadonlyMap<string, string | null>;
  /** Some of it could not be read. */
  readonly isPart: boolean;
}

/** Reads values from both ends up to the damage, then one by one those that the index still lists. */
export function salvageKept(db: DatabaseSync): SavedKept {
  const values = new Map<string, string | null>();
  const take = (row: Row): void => {
    values.set(textIn(row, 'key'), maybeTextIn(row, 'value') ?? null);
  };
  const isWhole = each(db, 'SELECT key, value FROM kept ORDER BY rowid', take);
  if (isWhole) return { values, isPart: false };
  each(db, 'SELECT key, value FROM kept ORDER BY rowid DESC', take);
  const named = new Map<string, number>();
  const isNamed = each(db, 'SELECT key, rowid AS place FROM kept ORDER BY key', (row) =>
    named.set(textIn(row, 'key'), numberIn(row, 'place')),
  );
  for (const [key, place] of named)
    if (!values.has(key)) each(db, `SELECT key, value FROM kept WHERE rowid = ${place}`, take);
  return { values, isPart: !isNamed || [...named.keys()].some((key) => !values.has(key)) };
}

/** Calls `take` for each row; false: it ended early, because the file is damaged. */
function each(db: DatabaseSync, sql: string, take: (row: Row) => void): boolean {
  try {
    for (const row of db.prepare(sql).iterate()) take(row);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}
