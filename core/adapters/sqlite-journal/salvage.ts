/** Saves what can be read of a damaged file into a new one, message by message, around the pages that are gone. */
import type { DatabaseSync } from 'node:sqlite';

import { isObject, tryParse } from '../../domain/json.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import { jsonOf, maybeTextIn, numberIn, textIn, wireIn } from './statements.ts';
import type { Row } from './prepared.ts';
import type { AttemptOp, Op, TransitionOp } from './records.ts';
import type { SalvageReport } from './requests.ts';
import { salvageKept } from './salvage-kept.ts';
import { isDamage, journalError, needSqlite } from './sqlite.ts';
import { isOfOneCall } from './tables.ts';
import type { Tables } from './tables.ts';
import { checksumOf } from './checksums.ts';

export type Salvaged = Omit<SalvageReport, 'setAside'>;

export const NOTHING: Salvaged = { messages: 0, partly: 0, lost: 0, keptInPart: true };

/** Message numbers that are read together; halved around damage. */
const WINDOW = 256;
/** Tables in which a message has its number. */
const TABLES = ['message', 'content', 'delivery'];

/** Saves a damaged file. Never throws for errors of the damaged file, but for those of the new one. */
export function salvage(damaged: string, into: Tables): Salvaged {
  const { DatabaseSync } = needSqlite();
  let db: DatabaseSync;
  // Until the old totals are read, it is unknown which of the newest records the tables had.
  into.continueFrom('', 0);
  try {
    db = new DatabaseSync(damaged, { readOnly: true });
  } catch (error) {
    // Nothing at all can be read, which the report shows with its zero.
    if (error instanceof Error) return NOTHING;
    throw error;
  }
  try {
    return new Salvage(db, into).run();
  } finally {
    db.close();
  }
}

class Salvage {
  readonly #db: DatabaseSync;
  readonly #into: Tables;
  readonly #saved = new Set<number>();
  /** Numbers of which something could not be read. */
  readonly #hurt = new Set<number>();

  constructor(db: DatabaseSync, into: Tables) {
    this.#db = db;
    this.#into = into;
  }

  run(): Salvaged {
    const { values, isPart } = salvageKept(this.#db);
    const small: Op[] = [...values].map(([key, value]) => ['kept', key, value]);
    const totals = this.#all('SELECT sequence, last_number FROM totals').at(0);
    if (totals !== undefined) small.push(['sequence', numberIn(totals, 'sequence')]);
    this.#into.write(small.map((op) => [op]));
    const tie = this.#all('SELECT name, folded FROM totals').at(0);
    if (tie !== undefined) this.#into.continueFrom(textIn(tie, 'name'), numberIn(tie, 'folded'));
    const last = Math.max(
      numberIn(totals, 'last_number'),
      ...TABLES.map((table) => numberIn(this.#all(`SELECT max(number) AS last FROM ${table}`).at(0), 'last')),
    );
    const first = Math.max(1, numberIn(this.#all('SELECT min(number) AS first FROM message').at(0), 'first'));
    for (let low = first; low <= last; low = this.#nextFrom(low + WINDOW))
      this.#window(low, Math.min(last, low + WINDOW - 1));
    const partly = [...this.#hurt].filter((number) => this.#saved.has(number)).length;
    return { messages: this.#saved.size, partly, lost: this.#hurt.size - partly, keptInPart: isPart };
  }

  /** The lowest number from this one on of which there is anything: a bit that flipped may have put one message far behind all others. */
  #nextFrom(number: number): number {
    let next = Infinity;
    for (const table of TABLES) {
      const row = this.#all(`SELECT min(number) AS next FROM ${table} WHERE number >= ?`, number).at(0);
      // What cannot be read here may be read in parts.
      if (row === undefined) return number;
      if (row['next'] !== null) next = Math.min(next, numberIn(row, 'next'));
    }
    return next;
  }

  #window(low: number, high: number): void {
    const published = byNumber(this.#range('SELECT number, published FROM message', low, high));
    const deliveries = byNumber(this.#range('SELECT * FROM delivery', low, high));
    const attempts = byNumber(this.#range('SELECT * FROM attempt', low, high));
    const transitions = byNumber(this.#range('SELECT * FROM transition', low, high));
    const calls = new Map<number, readonly Op[]>();
    for (const content of this.#range('SELECT * FROM content', low, high)) {
      const number = numberIn(content, 'number');
      const wire = wireIn(content, 'wire') ?? '';
      const row = tryParse(textIn(content, 'row'))?.value;
      if (!isRow(row) || checksumOf(textIn(content, 'row'), wire) !== numberIn(content, 'sum')) {
        this.#hurt.add(number);
        continue;
      }
      const isPublished = numberIn(published.get(number)?.at(0), 'published') === 1;
      const ops: Op[] = [acceptedOp(content, wire)];
      // A message that is not certainly published is published again, since twice is better than never.
      if (isPublished) ops.push(['published', row.messageId]);
      const batches = this.#batchesOf(number, attempts.get(number) ?? [], ops);
      for (const delivery of deliveries.get(number) ?? []) {
        const mine = (each: Row): boolean => numberIn(each, 'nth') === numberIn(delivery, 'nth');
        const made = deliveryOps(
          row.messageId,
          delivery,
          (attempts.get(number) ?? []).filter(mine),
          (transitions.get(number) ?? []).filter(mine),
          batches,
        );
        if (made.length === 0) this.#hurt.add(number);
        ops.push(...made);
      }
      calls.set(number, ops);
    }
    this.#write(calls);
  }

  /** A window at a time: each write waits for the disk. */
  #write(calls: ReadonlyMap<number, readonly Op[]>): void {
    const failures = this.#into.write([...calls.values()]);
    for (const [at, number] of [...calls.keys()].entries()) {
      const failure = failures[at];
      if (failure === undefined) this.#saved.add(number);
      // A damaged tree may return one message twice, or an invalid number.
      else if (isOfOneCall(failure)) this.#hurt.add(number);
      else throw journalError(failure, 'the new file');
    }
  }

  /** The calls of the batches that these attempts belong to, by batch number. A call is yielded before its attempts. */
  #batchesOf(number: number, attempts: readonly Row[], ops: Op[]): ReadonlyMap<number, string> {
    const keys = new Map<number, string>();
    for (const attempt of attempts) {
      const batch = numberIn(attempt, 'batch');
      if (batch === 0 || keys.has(batch)) continue;
      const row = this.#all('SELECT key, request, response FROM batch WHERE batch = ?', batch).at(0);
      if (row === undefined || tryParse(textIn(row, 'request')) === undefined) {
        this.#hurt.add(number);
        continue;
      }
      keys.set(batch, textIn(row, 'key'));
      ops.push(['batch', textIn(row, 'key'), textIn(row, 'request'), maybeTextIn(row, 'response') ?? null]);
    }
    return keys;
  }

  /** Rows with a number in a range; what lies on damaged pages is left out. */
  #range(select: string, low: number, high: number): Row[] {
    try {
      return this.#db.prepare(`${select} WHERE number BETWEEN ? AND ?`).all(low, high);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (low === high) {
        this.#hurt.add(low);
        return [];
      }
      const middle = Math.floor((low + high) / 2);
      return [...this.#range(select, low, middle), ...this.#range(select, middle + 1, high)];
    }
  }

  #all(sql: string, ...values: readonly number[]): Row[] {
    try {
      return this.#db.prepare(sql).all(...values);
    } catch (error) {
      // A table that is missing or unreadable: nothing of it can be saved.
      if (error instanceof Error && 'errcode' in error) return [];
      throw error;
    }
  }
}

function isRow(value: unknown): value is { readonly messageId: string } {
  return typeof value === 'object' && value !== null && 'messageId' in value;
}

function isRecord(value: unknown): value is Pick<StoredDelivery, 'subscription' | 'silent'> {
  if (typeof value !== 'object' || value === null || !('subscription' in value)) return false;
  return typeof value.subscription === 'object' && value.subscription !== null;
}

function byNumber(rows: readonly Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const number = numberIn(row, 'number');
    const list = found.get(number);
    if (list === undefined) found.set(number, [row]);
    else list.push(row);
  }
  return found;
}

function acceptedOp(content: Row, wire: string | Uint8Array): Op {
  return [
    'accepted',
    textIn(content, 'row'),
    wire,
    textIn(content, 'given'),
    maybeTextIn(content, 'metadata') ?? null,
    maybeTextIn(content, 'released') ?? null,
  ];
}

/** [] where the record itself is no longer JSON. */
function deliveryOps(
  messageId: string,
  delivery: Row,
  attempts: readonly Row[],
  transitions: readonly Row[],
  calls: ReadonlyMap<number, string>,
): Op[] {
  const record = textIn(delivery, 'record');
  const read = tryParse(record)?.value;
  if (!isRecord(read)) return [];
  const { subscription } = read;
  const sound = attempts.filter((attempt) => isObject(tryParse(textIn(attempt, 'record'))?.value));
  const steps = Math.max(1, sound.length, transitions.length);
  return Array.from({ length: steps }, (_, step): Op => [
    'delivery',
    textIn(delivery, 'id'),
    messageId,
    textIn(delivery, 'state'),
    textIn(delivery, 'app'),
    maybeTextIn(delivery, 'route') ?? null,
    numberIn(delivery, 'attempts'),
    record,
    wireIn(delivery, 'changed') ?? null,
    subscription.pubsubname ?? '',
    subscription.topic ?? '',
    transitionOp(transitions[step]),
    attemptOp(sound[step], calls),
    read.silent === true ? 1 : 0,
  ]);
}

function transitionOp(row: Row | undefined): TransitionOp | null {
  if (row === undefined) return null;
  return [
    maybeTextIn(row, 'was') ?? null,
    textIn(row, 'state'),
    textIn(row, 'at'),
    numberIn(row, 'sequence'),
    textIn(row, 'cause'),
    textIn(row, 'rule'),
    maybeTextIn(row, 'note') ?? null,
  ];
}

/** Null: there is none, or the shared call of its batch is lost. */
function attemptOp(row: Row | undefined, calls: ReadonlyMap<number, string>): AttemptOp | null {
  if (row === undefined) return null;
  const place = numberIn(row, 'batch');
  const batch = calls.get(place) ?? null;
  if (place > 0 && batch === null) return null;
  const record = textIn(row, 'record');
  const { error } = jsonOf<{ readonly error?: { readonly code: string; readonly message: string } }>(record);
  const status = row['status'];
  return [
    record,
    typeof status === 'number' ? status : null,
    error?.code ?? null,
    error?.message ?? null,
    numberIn(row, 'sent_wire') === 1 ? 1 : 0,
    batch,
  ];
}
