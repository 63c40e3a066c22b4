/** Prepared statements of the writing side, and how their answers are read. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { ENDED_STATES } from '../../contract/delivery.ts';
import { STAGES } from '../../contract/words.ts';
import type { Stage } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import { VALUE_COLUMNS } from './columns.ts';
import type { SqlValue } from './columns.ts';
import type { ContentOp } from './records.ts';
import { IS_SILENT } from './schema.ts';

/** One row of an answer. */
export type Found = Record<string, SQLInputValue> | undefined;

export function numberIn(row: Found, column: string): number {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
}

/** The first version of SQLite that tells how many pages the log has without moving them; earlier ones move them. */
const TELLS_PAGES = [3, 51];

/** Pages in the log that are committed; undefined: this version of SQLite does not tell it, or not inside of a transaction. */
export function pagesInLog(db: DatabaseSync): number | undefined {
  const [major = 0, minor = 0] = (process.versions['sqlite'] ?? '').split('.').map(Number);
  const [firstMajor = 0, firstMinor = 0] = TELLS_PAGES;
  const tells = major > firstMajor || (major === firstMajor && minor >= firstMinor);
  if (!tells || db.isTransaction) return undefined;
  return numberIn(db.prepare('PRAGMA wal_checkpoint(NOOP)').get(), 'log');
}

/** Moves as much of the log into the database as its readers allow: pages of the log, and those of them that are in the database. */
export function checkpoint(db: DatabaseSync): { pages: number; moved: number; isWhole: boolean } {
  const row = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  const [pages, moved] = [numberIn(row, 'log'), numberIn(row, 'checkpointed')];
  return { pages, moved, isWhole: pages >= 0 && pages === moved };
}

export function textIn(row: Found, column: string): string {
  const value = row?.[column];
  return typeof value === 'string' ? value : '';
}

export function maybeTextIn(row: Found, column: string): string | undefined {
  const value = row?.[column];
  return typeof value === 'string' ? value : undefined;
}

export function wireIn(row: Found, column: string): Wire | undefined {
  const value = row?.[column];
  return typeof value === 'string' || value instanceof Uint8Array ? value : undefined;
}

/** Length of a body for the count of bytes that a message takes: in characters for a text. */
export function charactersOrBytes(wire: Wire): number {
  return typeof wire === 'string' ? wire.length : wire.byteLength;
}

/** JSON that this adapter wrote itself, from a value of that type. */
export function jsonOf<T>(text: string): T {
  return JSON.parse(text) as T;
}

export type TableStatements = ReturnType<typeof tableStatements>;

/** Everything but what deliveries need. */
export function tableStatements(db: DatabaseSync) {
  const numbersOf = db.prepare('SELECT number FROM message WHERE id IN (SELECT value FROM json_each(?))');
  const savepoint = db.prepare('SAVEPOINT part');
  const release = db.prepare('RELEASE part');
  const keep = db.prepare('INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)');
  return {
    ...contentStatements(db),
    ...standingStatements(db),
    numbersOf: (messageIds: readonly string[]) =>
      numbersOf.all(JSON.stringify(messageIds)).map((row) => numberIn(row, 'number')),
    keep: (key: string, value: string | null) => keep.run(key, value),
    savepoint: () => savepoint.run(),
    release: () => release.run(),
  };
}

/** What a changed message gets in a column: its payload stays out of SQL's reach where a person edited a delivery (`AGREES`). */
function valueOf(column: (typeof VALUE_COLUMNS)[number], given: string): string {
  if (column !== 'agrees') return given;
  return `iif(EXISTS (SELECT 1 FROM delivery d WHERE d.number = ?1 AND d.changed IS NOT NULL), 0, ${given})`;
}

/** Statements that write and read what a message is. */
function contentStatements(db: DatabaseSync) {
  const columns = ['number', 'id', ...VALUE_COLUMNS, 'published', 'standing', 'bytes'];
  const addMessage = db.prepare(
    `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const addContent = db.prepare(
    'INSERT INTO content (number, sum, row, given, metadata, released, wire) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const contentOf = db.prepare(
    'SELECT c.number, c.sum, c.row, c.released, c.metadata, c.wire FROM message m JOIN content c USING (number) WHERE m.id = ?',
  );
  const changeContent = db.prepare('UPDATE content SET sum = ?2, row = ?3, released = ?4 WHERE number = ?1');
  const rewrite = db.prepare('UPDATE content SET wire = ?2, given = ?3, metadata = ?4 WHERE number = ?1');
  const grow = db.prepare('UPDATE message SET bytes = bytes + ?2 WHERE number = ?1');
  const changeFacts = db.prepare(
    `UPDATE message SET ${VALUE_COLUMNS.map((name, i) => `${name} = ${valueOf(name, `?${i + 2}`)}`).join(', ')}
     WHERE number = ?1`,
  );
  return {
    addMessage: (values: readonly SqlValue[]) => addMessage.run(...values),
    addContent: (values: readonly SqlValue[]) => addContent.run(...values),
    changeContent: (values: readonly SqlValue[]) => changeContent.run(...values),
    changeFacts: (values: readonly SqlValue[]) => changeFacts.run(...values),
    rewrite: (number: number, content: ContentOp) => rewrite.run(number, ...content),
    grow: (number: number, bytes: number) => grow.run(number, bytes),
    contentOf: (messageId: string) => {
      const row = contentOf.get(messageId);
      const wire = wireIn(row, 'wire');
      if (row === undefined || wire === undefined) return undefined;
      const released = maybeTextIn(row, 'released') ?? null;
      const metadata = maybeTextIn(row, 'metadata') ?? null;
      const [number, sum] = [numberIn(row, 'number'), numberIn(row, 'sum')];
      return { number, sum, row: textIn(row, 'row'), released, metadata, wire };
    },
  };
}

/** Final states of deliveries, as a list of SQL. */
const ENDED = ENDED_STATES.map((state) => `'${state}'`).join(', ');

/** Statements about how messages stand: published, waiting, removable. */
function standingStatements(db: DatabaseSync) {
  const stands = `number, stage, waiting, published, pinned, standing, EXISTS (
    SELECT 1 FROM delivery d WHERE d.number = message.number
      AND d.state NOT IN (${ENDED}) AND NOT ${IS_SILENT}
  ) AS open`;
  const publish = db.prepare(`UPDATE message SET published = 1 WHERE id = ? RETURNING ${stands}`);
  const standing = db.prepare(`SELECT ${stands} FROM message WHERE number = ?`);
  const isDelivered = db.prepare('SELECT EXISTS (SELECT 1 FROM delivery WHERE number = ?) AS delivered');
  const stand = db.prepare('UPDATE message SET standing = ?2 WHERE number = ?1');
  const removable = db.prepare(
    `SELECT number, at, bytes +
       (SELECT ifnull(sum(d.bytes), 0) FROM delivery d WHERE d.number = message.number) AS size
     FROM message WHERE standing = 0 ORDER BY number LIMIT ?`,
  );
  return {
    /** Marks a message as published and returns its state; undefined: it was removed. */
    publish: (messageId: string) => standsOf(publish.get(messageId)),
    standing: (number: number) => standsOf(standing.get(number)),
    isDelivered: (number: number) => numberIn(isDelivered.get(number), 'delivered') === 1,
    stand: (number: number, value: number) => stand.run(number, value),
    /** Oldest first, each read when it is asked for: mostly none is to be removed, which the first one shows. */
    *removable(limit: number) {
      for (const row of removable.iterate(limit))
        yield {
          number: numberIn(row, 'number'),
          at: typeof row['at'] === 'number' ? row['at'] : null,
          size: numberIn(row, 'size'),
        };
    },
  };
}

/** Members that decide the state of a message, with its old state. */
export type Stands = NonNullable<ReturnType<typeof standsOf>>;

function standsOf(row: Found) {
  if (row === undefined) return undefined;
  return {
    number: numberIn(row, 'number'),
    before: numberIn(row, 'standing'),
    stage: stageOf(row['stage']),
    waiting: numberIn(row, 'waiting') === 1,
    published: numberIn(row, 'published') === 1,
    pinned: numberIn(row, 'pinned') === 1,
    /** 1: at least one. */
    open: numberIn(row, 'open'),
  };
}

function stageOf(value: unknown): Stage | undefined {
  return STAGES.find((stage) => stage === value);
}
