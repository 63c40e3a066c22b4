/**
 * The router's SQLite file: opened, laid out, and renamed if it is damaged. Without a folder it is in memory.
 */
import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RouterError } from '../../ports/local-router.ts';

const LAYOUT = 1;
const MEMORY = ':memory:';
/**
 * Layout as one transaction, so that a kill leaves all of it or nothing; an incomplete one of an earlier
 * build is completed.
 */
const SCHEMA = `
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS things (kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (no INTEGER PRIMARY KEY, topic TEXT NOT NULL, published INTEGER NOT NULL, json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (
  no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event INTEGER NOT NULL, subscription TEXT NOT NULL, topic TEXT NOT NULL,
  state TEXT NOT NULL, ended INTEGER, bytes INTEGER NOT NULL, row TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (state, no);
CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
CREATE INDEX IF NOT EXISTS deliveries_by_end ON deliveries (ended) WHERE ended IS NOT NULL;
CREATE TABLE IF NOT EXISTS history (
  delivery INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (delivery, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dead_letters (file TEXT PRIMARY KEY, at INTEGER NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = ${LAYOUT};
COMMIT;
`;

export interface OpenDatabase {
  readonly db: DatabaseSync;
  /** New path of a damaged file. */
  readonly setAside?: string;
}

/**
 * Opens the file in the folder, or a database in memory without one. A damaged file is renamed, never
 * deleted, and a new one is created; a file of a later build is refused.
 */
export function openDatabase(folder: string | undefined, nowMs: number): OpenDatabase {
  if (folder === undefined) return { db: prepare(MEMORY) };
  const file = path.join(folder, 'router.db');
  try {
    return { db: prepare(file) };
  } catch (error) {
    if (!isDamage(error) || !existsSync(file)) throw error;
    const setAside = `${file}.damaged-${nowMs}`;
    renameSync(file, setAside);
    for (const tail of ['-wal', '-shm']) {
      if (existsSync(file + tail)) renameSync(file + tail, setAside + tail);
    }
    return { db: prepare(file), setAside };
  }
}

function prepare(file: string): DatabaseSync {
  if (file !== MEMORY) makePrivate(file);
  const db = new (sqlite().DatabaseSync)(file);
  try {
    // Every commit is on disk before it is answered.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000;');
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (version > LAYOUT) {
      throw new Error(`${file} was written by a later build (layout ${version}, this one knows ${LAYOUT})`);
    }
    if (version === 0) db.exec(SCHEMA);
    db.prepare('SELECT count(*) FROM things').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes the database private, because it holds the keys of topics. The files beside it get the same mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function sqlite(): typeof import('node:sqlite') {
  const emit = process.emitWarning;
  // Node 22 warns once, while the module is loaded. All other warnings pass through.
  process.emitWarning = (warning: string | Error, ...more: unknown[]): void => {
    if (String(warning).startsWith('SQLite is an experimental')) return;
    Reflect.apply(emit, process, [warning, ...more]);
  };
  try {
    const module = process.getBuiltinModule('node:sqlite');
    if (module !== undefined) return module;
    throw new RouterError('EVR-ING-01', 'this runtime has no built-in SQLite (node:sqlite)');
  } finally {
    process.emitWarning = emit;
  }
}

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}
