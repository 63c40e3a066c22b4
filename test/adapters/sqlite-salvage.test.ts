/** A file that SQLite refuses although most of it is sound: readable records are saved, and the file is set aside unchanged. */
import { copyFileSync, existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { openFile } from '../../core/adapters/sqlite-journal/open.ts';
import type { OpenStep } from '../../core/adapters/sqlite-journal/requests.ts';
import { salvage as saved } from '../../core/adapters/sqlite-journal/salvage.ts';
import { migrate } from '../../core/adapters/sqlite-journal/schema.ts';
import { isDamage, needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import { count, finished } from './journal-records.ts';
import { filledFile, testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

const MESSAGES = 600;
const PAGE = 4096;

const sound = filledFile(async (journal) => {
  await journal.append(count(1, MESSAGES).flatMap((number) => finished(number, { data: 'x'.repeat(2000) })));
  await journal.append(
    count(1, 300).map((n) => ({ kind: 'kept', key: `key-${n}`, value: `${n}`.repeat(100) })),
  );
});

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
  await sound(at);
});
afterEach(() => at.remove());

/** Opens it after the damage: what was saved, and the file that was set aside. */
async function reopened() {
  const damaged = readFileSync(at.file);
  const journal = await at.open();
  const { salvage, notes } = journal.report;
  expect(readFileSync(salvage?.setAside ?? '').equals(damaged)).toBe(true);
  return { journal, salvage, note: notes.join(' ') };
}

function overwrite(from: number, bytes: number): void {
  const content = readFileSync(at.file);
  content.fill(0xa5, from, from + bytes);
  writeFileSync(at.file, content);
}

/** Content of the file after the overwrite. */
function overwritten(from: number, bytes: number): Buffer {
  overwrite(from, bytes);
  return readFileSync(at.file);
}

/** Leaf pages of the table of what is kept, by number. */
function pagesOfKept(): readonly number[] {
  const content = readFileSync(at.file);
  return count(1, content.length / PAGE).filter((page) => {
    const bytes = content.subarray((page - 1) * PAGE, page * PAGE);
    return bytes[0] === 0x0d && bytes.includes('key-');
  });
}

test.each([
  ['a header', 100],
  ['a first page', PAGE],
])('a missing %s costs nothing', async (_, bytes) => {
  overwrite(0, bytes);
  const { journal, salvage, note } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, partly: 0, lost: 0, keptInPart: false });
  expect(note).not.toContain('check them');
  expect(await journal.kept('key-7')).toBe('7'.repeat(100));
});

test('a missing first page of a file that was written again costs nothing', async () => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  db.prepare('VACUUM INTO ?').run(`${at.file}.again`);
  db.close();
  renameSync(`${at.file}.again`, at.file);
  overwrite(0, PAGE);
  const { journal, salvage, note } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, partly: 0, lost: 0, keptInPart: false });
  expect(note).not.toContain('check them');
  expect(await journal.kept('key-7')).toBe('7'.repeat(100));
  expect(existsSync(`${at.file}.new.written`)).toBe(false);
});

test('a kill while a damaged file is saved loses nothing, and the next start saves and reports all of it', async () => {
  const damaged = overwritten(0, 100);
  // A kill in the middle of saving leaves a part of the messages in the new file.
  const other = await testFolder();
  onTestFinished(() => other.remove());
  const part = await other.open();
  await part.append(count(1, 10).flatMap((number) => finished(number)));
  await part.close();
  copyFileSync(other.file, `${at.file}.new`);
  const { salvage } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, partly: 0, lost: 0 });
  expect(readFileSync(salvage?.setAside ?? '').equals(damaged)).toBe(true);
  expect(existsSync(`${at.file}.new`)).toBe(false);
});

test('a kill at the beginning of the saving leaves the damaged file in its place', async () => {
  const damaged = overwritten(0, 100);
  const how = { folder: at.folder, sync: 'normal', ballastBytes: 0, now: Date.now } as const;
  const tell = ({ kind }: OpenStep): void => {
    if (kind === 'salvage') throw new Error('killed');
  };
  expect(() => openFile({ ...how, reportStep: tell })).toThrow('killed');
  expect(readFileSync(at.file).equals(damaged)).toBe(true);
  const { salvage } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, partly: 0, lost: 0 });
});

test.each(['.new', '.rescued'])(
  'a whole file left as sidelight.db%s takes its place at the next start',
  async (ending) => {
    renameSync(at.file, at.file + ending);
    writeFileSync(`${at.file}-wal`, 'of another file');
    const journal = await at.open();
    expect((await journal.stats()).messages).toBe(MESSAGES);
  },
);

test('a message that the damaged file gives twice is saved once', async () => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  // Number 601 has the row of message 7, as two entries of a tree that show to the same page would.
  db.exec(
    `INSERT INTO content SELECT 601, sum, row, given, metadata, released, wire FROM content WHERE number = 7`,
  );
  db.exec('UPDATE totals SET last_number = 601');
  db.close();
  overwrite(0, 100);
  const { salvage, journal } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, lost: 1 });
  expect((await journal.stats()).messages).toBe(MESSAGES);
});

test('the rest of a truncated file is saved', async () => {
  const size = readFileSync(at.file).length;
  truncateSync(at.file, Math.floor(size * 0.9));
  const { journal, salvage } = await reopened();
  expect(salvage?.messages).toBeGreaterThan(MESSAGES / 3);
  expect((salvage?.messages ?? 0) + (salvage?.lost ?? 0)).toBe(MESSAGES);
  expect((await journal.stats()).messages).toBe(salvage?.messages);
});

test('a page that lies behind the end of the file is damage, and no error of the disk', () => {
  const { DatabaseSync } = needSqlite();
  const file = join(at.folder, 'short.db');
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE other (n); CREATE TABLE long (body); INSERT INTO other VALUES (1)',
  );
  db.exec('INSERT INTO long VALUES (zeroblob(1000000)); PRAGMA wal_checkpoint(TRUNCATE)');
  db.exec('UPDATE other SET n = 2');
  const log = readFileSync(`${file}-wal`);
  const content = readFileSync(file);
  db.close();
  // As a copy has it whose files were taken one after another.
  writeFileSync(file, content.subarray(0, 100 * PAGE));
  writeFileSync(`${file}-wal`, log);
  const torn = new DatabaseSync(file);
  onTestFinished(() => torn.close());
  let thrown: unknown;
  try {
    torn.prepare('SELECT body FROM long').all();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ errcode: 522 });
  expect(isDamage(thrown)).toBe(true);
});

test('a destroyed page of stored values costs only these values, and a note says so', async () => {
  const [, second = 0] = pagesOfKept();
  overwrite((second - 1) * PAGE, PAGE);
  const db = new (needSqlite().DatabaseSync)(at.file);
  db.exec('UPDATE totals SET clean = 0');
  db.close();
  const { journal, salvage, note } = await reopened();
  expect(salvage).toMatchObject({ messages: MESSAGES, partly: 0, lost: 0, keptInPart: true });
  expect(note).toContain('check them');
  const found = await Promise.all(count(1, 300).map((n) => journal.kept(`key-${n}`)));
  const read = found.filter((value) => value !== undefined).length;
  expect(read).toBeGreaterThan(200);
  expect(read).toBeLessThan(300);
});

test('one number far behind all others does not make the saving of the others longer', () => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  db.exec('UPDATE totals SET last_number = 20000000; UPDATE message SET number = 9000000 WHERE number = 600');
  db.exec('UPDATE content SET number = 9000000 WHERE number = 600');
  db.close();
  const into = new (needSqlite().DatabaseSync)(':memory:');
  onTestFinished(() => into.close());
  migrate(into, 'memory', () => undefined);
  const tables = new Tables(into);
  const prepare = vi.spyOn(needSqlite().DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  expect(saved(at.file, tables)).toMatchObject({ messages: MESSAGES, lost: 0 });
  expect(prepare.mock.calls.length).toBeLessThan(200);
});
