/** The log that SQLite keeps beside the database, in use: what another program does to it is noticed, and costs as little as it can. */
import { cpSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DatabaseLog, LOG_LIMIT_BYTES } from '../../core/adapters/sqlite-journal/database-log.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { accepted, count, finished, pageNumbers } from './journal-records.ts';
import { NewestStand, NONE, row, tablesOf, whole } from './newest-stand.ts';
import { historyInUse, testFolder } from './sqlite-folder.ts';
import type { InUse } from './sqlite-folder.ts';
import { Reading, wrongIn } from './tables-check.ts';

const PATIENT = { timeout: 15_000 };
const KB = 1024;

// Windows does not let a file that is open be removed or cut.
describe.skipIf(process.platform === 'win32')('the log of a history in use', () => {
  let at: InUse['at'];
  let journal: InUse['journal'];
  let reported: InUse['reported'];
  let log: string;
  beforeEach(async () => {
    ({ at, journal, reported } = await historyInUse());
    log = `${at.file}-wal`;
  });
  afterEach(() => at.remove());

  /** A history that is looked at as seldom as in the product, to do much in between. */
  async function lookedAtSeldom(): Promise<void> {
    await at.remove();
    ({ at, journal, reported } = await historyInUse(2000));
    log = `${at.file}-wal`;
  }

  /** What a start would find after a kill now. */
  async function afterKill(): Promise<readonly number[]> {
    const copy = await testFolder();
    try {
      cpSync(at.folder, copy.folder, { recursive: true });
      rmSync(join(copy.folder, 'lock.db'));
      rmSync(join(copy.folder, 'holder.json'));
      return (await pageNumbers(await copy.open())).numbers;
    } finally {
      await copy.remove();
    }
  }

  test('if both are removed before the first search, it is created again, and the database is no damaged one', async () => {
    await lookedAtSeldom();
    // The database grows, so its first page is in the log.
    for (const number of count(6, 10)) await journal.append([accepted(number, { data: 'x'.repeat(50_000) })]);
    await pageNumbers(journal);
    // The thread for searches opens the database only now, and makes files of these names for itself.
    for (const ending of ['-wal', '-shm']) rmSync(at.file + ending);
    const search = (): Promise<unknown> => pageNumbers(journal, { filter: 'topic:orders', limit: 100 });
    // Each append goes on in the log that only the writing thread has.
    for (const number of count(11, 30)) {
      await journal.append(finished(number));
      await search();
    }
    await expect
      .poll(() => reported, PATIENT)
      .toEqual([expect.stringMatching(/log beside the history .* was removed .* Nothing is lost\./)]);
    expect((await pageNumbers(journal)).numbers).toEqual(count(1, 30).toReversed());
    const filtered = await pageNumbers(journal, { filter: 'topic:orders', limit: 100 });
    expect(filtered.numbers).toEqual(count(1, 30).toReversed());
    expect(await afterKill()).toEqual(count(1, 30).toReversed());
  });

  test.each(['-wal', '-shm'])(
    'if %s is removed, it is created again, and nothing is lost',
    async (ending) => {
      rmSync(at.file + ending);
      await expect
        .poll(() => reported, PATIENT)
        .toEqual([expect.stringMatching(/log beside the history .* was removed .* Nothing is lost\./)]);
      await journal.append(finished(6));
      expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
      expect(statSync(at.file + ending).isFile()).toBe(true);
      expect(await afterKill()).toEqual([6, 5, 4, 3, 2, 1]);
      expect(wrongIn(at.folder)).toEqual([]);
    },
  );

  test.each<[string, (bytes: number) => number]>([
    ['to nothing', () => 0],
    ['within its head', () => 10],
    ['in the middle', (bytes) => Math.floor(bytes / 2)],
    ['by one byte', (bytes) => bytes - 1],
  ])('if it is cut %s, what it had comes from the newest records', async (_, length) => {
    truncateSync(log, length(statSync(log).size));
    await expect
      .poll(() => reported, PATIENT)
      .toEqual([expect.stringMatching(/log beside the history .* was cut .* Nothing is lost\./)]);
    expect((await pageNumbers(journal)).numbers).toEqual([5, 4, 3, 2, 1]);
    await journal.append(finished(6));
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await afterKill()).toEqual([6, 5, 4, 3, 2, 1]);
    expect(wrongIn(at.folder)).toEqual([]);
    await journal.close();
    expect((await pageNumbers(await at.open())).numbers).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('if it is cut right before the end, the next start has all of it', async () => {
    await lookedAtSeldom();
    truncateSync(log, 0);
    await journal.close();
    expect((await pageNumbers(await at.open())).numbers).toEqual([5, 4, 3, 2, 1]);
    expect(wrongIn(at.folder)).toEqual([]);
  });

  test('messages that come while nobody has noticed that it was cut are kept or refused', async () => {
    await lookedAtSeldom();
    truncateSync(log, 0);
    const kept = [5, 4, 3, 2, 1];
    for (const number of count(6, 40)) {
      const isKept = await journal.append([accepted(number)]).then(
        () => true,
        () => false,
      );
      if (isKept) kept.unshift(number);
      if (number % 10 === 0) await pageNumbers(journal).catch(() => undefined);
    }
    await expect.poll(() => reported, PATIENT).toEqual([expect.stringContaining('was cut')]);
    expect((await pageNumbers(journal)).numbers).toEqual(kept);
    expect(wrongIn(at.folder)).toEqual([]);
  });
});

describe('a thread that opens the database again', () => {
  let stand: NewestStand;
  beforeEach(() => {
    stand = new NewestStand();
  });
  afterEach(() => stand.remove());

  test('counts the groups of records that only the cut log had', async () => {
    const { writer } = stand.open();
    await writer.write([whole(1)], false);
    await writer.idle();
    const reading = new Reading(stand.folder);
    for (const number of [2, 3]) await writer.write([whole(number)], false);
    // The tables have them, and their place among the newest records is used again.
    await writer.idle();
    await writer.write([whole(4)], false);
    reading.end();
    truncateSync(join(stand.folder, 'sidelight.db-wal'), 0);
    const reopened = await writer.reopen();
    expect(reopened).toMatchObject({ why: 'cut', lost: 0 });
    expect(reopened?.report.notes).toEqual([
      expect.stringContaining('could not read 2 of the newest groups of records'),
    ]);
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toEqual([row(1), row(4), row(5)]);
  });

  test('counts them also where they were the last ones', async () => {
    const { writer } = stand.open();
    await writer.write([whole(1)], false);
    await writer.idle();
    const reading = new Reading(stand.folder);
    // This group went into the tables without the newest records.
    expect(await writer.write([whole(2)], true)).toEqual(NONE);
    reading.end();
    truncateSync(join(stand.folder, 'sidelight.db-wal'), 0);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 1, report: { notes: [] } });
    expect(await writer.write([whole(3)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toEqual([row(1), row(3)]);
  });

  test('does nothing where nothing has happened', async () => {
    const { writer } = stand.open();
    await writer.write([whole(1)], false);
    await writer.ask('commit', null);
    expect([await writer.logState(), await writer.reopen()]).toEqual(['whole', null]);
    expect(tablesOf(stand.killed())).toEqual([row(1)]);
  });
});

describe('whether a log is cut', () => {
  let folder: string;
  let db: DatabaseSync;
  let file: string;
  let log: DatabaseLog;
  let hasAll: boolean;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelight-log-'));
    file = join(folder, 'db-wal');
    db = new (needSqlite().DatabaseSync)(join(folder, 'db'));
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}; CREATE TABLE t (x)`);
    hasAll = false;
    log = new DatabaseLog(join(folder, 'db'), () => hasAll);
  });
  afterEach(() => {
    log.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (bytes: number): void => void db.prepare('INSERT INTO t VALUES (zeroblob(?))').run(bytes);

  test('it is not while it grows, begins again, or was emptied here', () => {
    const found: boolean[] = [];
    const look = (): void => {
      found.push(log.isCut());
      log.look();
    };
    look();
    write(10 * KB);
    look();
    for (const how of ['PASSIVE', 'RESTART', 'TRUNCATE']) {
      db.exec(`PRAGMA wal_checkpoint(${how})`);
      if (how === 'TRUNCATE') log.emptied();
      else log.look();
      look();
      write(100);
      look();
      write(10 * KB);
      look();
    }
    expect(new Set(found)).toEqual(new Set([false]));
  });

  test('it is not where SQLite takes back room beyond its limit', () => {
    write(LOG_LIMIT_BYTES + 1024 * KB);
    log.look();
    const before = statSync(file).size;
    db.exec('PRAGMA wal_checkpoint(RESTART)');
    log.look();
    // Pages that do not fit into the cache are in the log before the commit, with its new head.
    db.exec('PRAGMA cache_size = 1; BEGIN');
    write(100 * KB);
    log.look();
    db.exec('COMMIT');
    log.committed();
    expect(statSync(file).size).toBeLessThan(before);
    expect(log.isCut()).toBe(false);
  });

  test.skipIf(process.platform === 'win32').each([
    ['a commit', () => log.committed()],
    ['pages that are not committed', () => log.look()],
  ])('it is where somebody else takes the room beyond that limit, after %s', (_, look) => {
    write(LOG_LIMIT_BYTES + 1024 * KB);
    look();
    truncateSync(file, LOG_LIMIT_BYTES);
    expect(log.isCut()).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('it is where that room is taken before the first commit', () => {
    write(LOG_LIMIT_BYTES + 1024 * KB);
    log.committed();
    db.exec('PRAGMA wal_checkpoint(RESTART)');
    log.look();
    db.exec('PRAGMA cache_size = 1; BEGIN');
    write(100 * KB);
    log.look();
    truncateSync(file, LOG_LIMIT_BYTES);
    expect(log.isCut()).toBe(true);
    db.exec('ROLLBACK');
  });

  test.skipIf(process.platform === 'win32')('it is where it is shorter, or has lost its head', () => {
    write(10 * KB);
    log.look();
    const { size } = statSync(file);
    truncateSync(file, size - 1);
    expect(log.isCut()).toBe(true);
    // A log stays cut, whatever is written behind the cut.
    truncateSync(file, size);
    expect(log.isCut()).toBe(true);
  });

  test.skipIf(process.platform === 'win32')(
    'without its head it is cut, also as a hole, unless the database has all of it',
    () => {
      write(10 * KB);
      log.look();
      const { size } = statSync(file);
      truncateSync(file, 0);
      hasAll = true;
      expect(log.isCut()).toBe(false);
      truncateSync(file, size);
      log.look();
      expect(log.isCut()).toBe(true);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'it is not where it was removed: SQLite has its own still open',
    () => {
      write(10 * KB);
      log.look();
      rmSync(file);
      expect(log.isCut()).toBe(false);
    },
  );

  test.skipIf(process.platform === 'win32')('it is where it was cut and then removed', () => {
    write(10 * KB);
    log.look();
    truncateSync(file, 0);
    rmSync(file);
    expect(log.isCut()).toBe(true);
  });
});
