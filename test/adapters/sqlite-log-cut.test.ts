/** What is left of the log beside the database after another program cut it, or had SQLite empty it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { CatchUp } from '../../core/adapters/sqlite-journal/catch-up.ts';
import { Fold } from '../../core/adapters/sqlite-journal/fold.ts';
import { HeldFile } from '../../core/adapters/sqlite-journal/held-file.ts';
import { openFile } from '../../core/adapters/sqlite-journal/open.ts';
import { takeNewest } from '../../core/adapters/sqlite-journal/replay.ts';
import { Rescue } from '../../core/adapters/sqlite-journal/rescue.ts';
import { migrate } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import { Writer } from '../../core/adapters/sqlite-journal/writer.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { accepted, count, delivered, finished, pageNumbers } from './journal-records.ts';
import { committed, cut, MendingStand, refuseOnce } from './log-cutting.ts';
import { NewestStand, NONE, ops, row, tablesOf, whole } from './newest-stand.ts';
import { historyInUse } from './sqlite-folder.ts';
import type { InUse } from './sqlite-folder.ts';
import { wrongIn } from './tables-check.ts';

function withDatabase<T>(
  folder: string,
  act: (db: InstanceType<ReturnType<typeof needSqlite>['DatabaseSync']>) => T,
): T {
  const db = new (needSqlite().DatabaseSync)(join(folder, 'sidelight.db'));
  try {
    return act(db);
  } finally {
    db.close();
  }
}

/** Another program has SQLite move all of the log into the database and empty it. */
function emptyLog(folder: string): void {
  const row = withDatabase(folder, (db) => db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
  expect(row).toMatchObject({ busy: 0 });
  expect(statSync(join(folder, 'sidelight.db-wal')).size).toBe(0);
}

describe('a log that another program has SQLite empty', () => {
  let at: InUse['at'];
  let journal: InUse['journal'];
  let reported: InUse['reported'];
  beforeEach(async () => {
    ({ at, journal, reported } = await historyInUse(2000));
  });
  afterEach(() => at.remove());

  test('is not cut: all of it is in the database', async () => {
    emptyLog(at.folder);
    await journal.append(finished(6));
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    emptyLog(at.folder);
    await journal.close();
    expect(reported).toEqual([]);
    expect(at.lines.filter((line) => line.startsWith('error'))).toEqual([]);
    const next = await at.open();
    expect(next.report).toMatchObject({ wasUnclean: false, notes: [] });
    expect((await pageNumbers(next)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test.skipIf(process.platform === 'win32')('a read has one mended that was cut', async () => {
    await journal.append(finished(6));
    cut(at.folder, () => 0);
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    expect(reported).toEqual([expect.stringMatching(/was cut .* Nothing is lost\./)]);
    expect(at.lines.filter((line) => line.includes('not shown'))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('so has a read where nothing is new', async () => {
    cut(at.folder, () => 0);
    for (const number of count(1, 5)) expect(await journal.get(`msg_${number}`)).toBeDefined();
    expect((await pageNumbers(journal)).numbers).toEqual([5, 4, 3, 2, 1]);
    expect(at.lines.filter((line) => line.includes('damaged'))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('an end waits for the mending of one that was cut', async () => {
    await journal.append(finished(7));
    cut(at.folder, () => 0);
    // Its number makes this one a matter of the database.
    await expect(journal.append([accepted(6)])).rejects.toThrow('another program cut');
    await journal.close();
    expect(existsSync(`${at.file}-wal`)).toBe(false);
    const found = [...reported];
    const next = await at.open();
    expect(next.report).toMatchObject({ wasUnclean: false, notes: [] });
    expect((await pageNumbers(next)).numbers).toEqual([7, 5, 4, 3, 2, 1]);
    expect(reported).toEqual(found);
  });
});

// Windows does not let a file that is open be cut.
describe.skipIf(process.platform === 'win32')('a database whose log was cut', () => {
  let stand: NewestStand;
  let others: ChildProcess[];
  beforeEach(() => {
    stand = new NewestStand();
    others = [];
  });
  afterEach(async () => {
    for (const other of others) {
      const ended = once(other, 'exit');
      other.kill();
      await ended;
    }
    await stand.remove();
  });

  /** The last commit changes pages that are not in the log before it. All of the log is in the database then. */
  async function manyAndOneMore(writer: Appender): Promise<void> {
    await writer.write(
      count(1, 300).map((number) => whole(number)),
      false,
    );
    await writer.idle();
    await committed(writer, 301, 303);
    await writer.write([ops(delivered(1, 'processed', { attempt: {}, transition: {} }))], false);
    await writer.ask('commit', null);
    await writer.idle();
  }
  const MANY_AND_ONE_MORE = [
    row(1, { attempts: 2, transitions: 2 }),
    ...count(2, 303).map((number) => row(number)),
  ];

  /** A read that begins before the history is open again after a cut: what is brought back stays in the log. */
  function readOnceDropped(): InstanceType<ReturnType<typeof needSqlite>['DatabaseSync']> {
    const other = new (needSqlite().DatabaseSync)(join(stand.folder, 'sidelight.db'));
    const { dropCutLog } = Fold.prototype;
    vi.spyOn(Fold.prototype, 'dropCutLog').mockImplementationOnce(function (this: Fold) {
      const isMixed = dropCutLog.call(this);
      other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM message').get();
      return isMixed;
    });
    return other;
  }

  /** Another program has the database open and has read it. */
  async function openElsewhere(): Promise<void> {
    const file = JSON.stringify(join(stand.folder, 'sidelight.db'));
    const script = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(${file});
      db.prepare('SELECT count(*) FROM message').get();
      process.stdout.write('open');
      setInterval(() => db.isOpen, 1000);`;
    const other = spawn(process.execPath, ['--no-warnings', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    others.push(other);
    await once(other.stdout, 'data');
  }

  test.each<[string, (bytes: number) => number]>([
    ['by one byte', (bytes) => bytes - 1],
    ['in the middle', (bytes) => Math.floor(bytes / 2)],
    ['after its head', () => 32],
  ])('does not get old pages over newer ones: cut %s after all of it was moved', async (_, by) => {
    const { writer } = stand.open();
    await manyAndOneMore(writer);
    cut(stand.folder, by);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual(MANY_AND_ONE_MORE);
    expect(wrongIn(stand.folder)).toEqual([]);
    await committed(writer, 304, 305);
    const { tables } = await stand.afterStart(stand.killed());
    expect(tables).toEqual([...MANY_AND_ONE_MORE, row(304), row(305)]);
  });

  test('has all of it at the next start where it is closed without its log', async () => {
    const { writer } = stand.open();
    await manyAndOneMore(writer);
    cut(stand.folder, (bytes) => Math.floor(bytes / 2));
    await writer.close();
    const { tables, report } = await stand.afterStart(stand.folder);
    expect(tables).toEqual(MANY_AND_ONE_MORE);
    expect(report.notes).toEqual([]);
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test('has all of it at the next start where the log is cut while it is closed', async () => {
    const { writer } = stand.open();
    await manyAndOneMore(writer);
    await committed(writer, 304, 305);
    const { settle } = Fold.prototype;
    const closing = vi.spyOn(Fold.prototype, 'settle').mockImplementationOnce(function (this: Fold) {
      cut(stand.folder, (bytes) => Math.floor(bytes / 2));
      settle.call(this);
    });
    await writer.close();
    closing.mockRestore();
    const { tables, report } = await stand.afterStart(stand.folder);
    expect(tables).toEqual([...MANY_AND_ONE_MORE, row(304), row(305)]);
    expect(report.notes).toEqual([]);
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test('keeps what is left of a log that was not moved', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 2);
    cut(stand.folder, (bytes) => bytes - 1);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual([row(1), row(2)]);
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test('is opened again without its old index while another program has it open', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 6);
    await openElsewhere();
    cut(stand.folder, () => 0);
    const reopened = await writer.reopen();
    expect(reopened).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(reopened?.report.salvage).toBeUndefined();
    expect(readdirSync(stand.folder).filter((name) => name.includes('.broken-'))).toEqual([]);
    expect(tablesOf(stand.folder)).toEqual(count(1, 6).map((number) => row(number)));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test('does not keep calls that were refused because of the cut', () => {
    const writer = new Writer(Date.now, () => undefined);
    writer.open({ folder: stand.folder, sync: 'normal', ballastBytes: 0 });
    writer.close();
    const { db, tables } = openFile({ folder: stand.folder, sync: 'normal', ballastBytes: 0, now: Date.now });
    try {
      const fold = new Fold(db, tables, join(stand.folder, 'sidelight.db'), { sync: 'normal' });
      expect(fold.write([whole(1)], 1)).toEqual([undefined]);
      const apply = tables.apply.bind(tables);
      vi.spyOn(Tables.prototype, 'apply').mockImplementation((calls) => {
        const errors = apply(calls);
        cut(stand.folder, (bytes) => bytes - 1);
        return errors;
      });
      expect(fold.write([whole(2)], 2)).toEqual([expect.objectContaining({ code: 'broken' })]);
      expect(tables.isOpen).toBe(false);
      expect(tables.folded).toBe(1);
    } finally {
      vi.restoreAllMocks();
      db.close();
    }
  });

  test.each<[string, (writer: Writer) => unknown]>([
    [
      'a look for old messages',
      (writer) =>
        writer.prune({
          keep: { maxMessages: 0, maxBytes: 0, olderThanMs: 0, spared: [] },
          slice: 10,
          stay: [],
          waiting: { messages: 0, bytes: 0 },
        }),
    ],
    ['a look whether it can be written', (writer) => writer.takesNew()],
  ])('is not written to by %s', (_, act) => {
    const writer = new Writer(Date.now, () => undefined);
    writer.open({ folder: stand.folder, sync: 'normal', ballastBytes: 0 });
    writer.write({ calls: [whole(1)], number: 1 });
    cut(stand.folder, () => 40);
    expect(() => act(writer)).toThrow('another program cut');
    expect(statSync(join(stand.folder, 'sidelight.db-wal')).size).toBe(40);
    expect(writer.log()).toBe('cut');
    writer.close();
  });

  test.each<[string, (bytes: number) => number]>([
    ['to nothing', () => 0],
    ['in the middle', (bytes) => Math.floor(bytes / 2)],
  ])('has what was brought back in the database: a second cut %s loses nothing', async (_, by) => {
    const { writer } = stand.open();
    await committed(writer, 1, 6);
    cut(stand.folder, () => 0);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0 });
    cut(stand.folder, by);
    expect((await writer.reopen())?.lost ?? 0).toBe(0);
    await committed(writer, 7, 8);
    const { tables } = await stand.afterStart(stand.killed());
    expect(tables).toEqual(count(1, 8).map((number) => row(number)));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test.each([
    ['is kept while another program reads an older state', true],
    ['is removed once all of the log is in the database', false],
  ])('the file of the newest records %s', async (_, isRead) => {
    const { writer } = stand.open();
    await committed(writer, 1, 1);
    await writer.idle();
    await writer.write([whole(2)], false);
    const copy = stand.killed();
    const other = new (needSqlite().DatabaseSync)(join(copy, 'sidelight.db'));
    const how = { folder: copy, sync: 'normal', ballastBytes: 0, now: Date.now } as const;
    try {
      other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM message').get();
      if (!isRead) other.exec('COMMIT');
      const { db } = openFile(how);
      expect(existsSync(join(copy, 'sidelight.db-newest-kept'))).toBe(isRead);
      db.close();
    } finally {
      other.close();
    }
    const { tables, report } = await stand.afterStart(copy);
    expect(tables).toEqual([row(1), row(2)]);
    expect(report.notes).toEqual([]);
  });

  test('is brought back after each of several cuts, also where readers kept it in the log meanwhile', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 6);
    for (const number of [7, 8]) {
      cut(stand.folder, () => 0);
      const other = readOnceDropped();
      expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
      expect(existsSync(join(stand.folder, 'sidelight.db-newest-kept'))).toBe(true);
      await committed(writer, number, number);
      other.close();
    }
    vi.restoreAllMocks();
    cut(stand.folder, () => 0);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual(count(1, 8).map((number) => row(number)));
    expect(wrongIn(stand.folder)).toEqual([]);
    expect(readdirSync(stand.folder).filter((name) => name.includes('kept'))).toEqual([]);
  });

  test.each<[string, (bytes: number) => number, boolean]>([
    ['by half a page', (bytes) => bytes - 3000, false],
    ['by a page', (bytes) => bytes - 4120, false],
    ['in the middle', (bytes) => Math.floor(bytes / 2), false],
    ['after its head', () => 32, false],
    ['in the middle while another program reads an older state', (bytes) => Math.floor(bytes / 2), true],
  ])('is whole after it was cut %s in the moment of a write', async (_, by, isRead) => {
    const { writer } = stand.open();
    await committed(writer, 1, 2);
    const other = new (needSqlite().DatabaseSync)(join(stand.folder, 'sidelight.db'), { readOnly: true });
    try {
      if (isRead) other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM message').get();
      await committed(writer, 3, 6);
      const log = join(stand.folder, 'sidelight.db-wal');
      const { size } = statSync(log);
      // A write behind the cut makes the log as long as before, with zeros in between.
      cut(stand.folder, by);
      truncateSync(log, size);
      expect(await writer.ask('log', null)).toBe('cut');
      await writer.ask('settle', null).catch(() => undefined);
    } finally {
      other.close();
    }
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    await committed(writer, 7, 7);
    await writer.idle();
    expect(tablesOf(stand.folder)).toEqual(count(1, 7).map((number) => row(number)));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  /** The app has taken messages. */
  async function processed(writer: Appender, from: number, to: number): Promise<void> {
    const ends = count(from, to).map((number) =>
      ops(delivered(number, 'processed', { attempt: {}, transition: {} })),
    );
    await writer.write(ends, false);
    await writer.ask('commit', null);
  }

  interface Mixed {
    readonly before: number;
    readonly act: (writer: Appender) => Promise<void>;
    /** During the read. */
    readonly later: (writer: Appender) => Promise<void>;
    readonly numbers: readonly number[];
  }

  // SQLite finds nothing wrong with what the last two leave: the counts alone are.
  test.each<[string, Mixed]>([
    [
      'twenty messages',
      {
        before: 300,
        act: (writer) => committed(writer, 301, 320),
        later: (writer) => committed(writer, 321, 322),
        numbers: count(1, 322),
      },
    ],
    [
      'one message',
      {
        before: 300,
        act: (writer) => committed(writer, 301, 301),
        later: (writer) => processed(writer, 12, 14),
        numbers: count(1, 301),
      },
    ],
    [
      'the end of a delivery',
      {
        before: 20,
        act: (writer) => processed(writer, 1, 1),
        later: (writer) => committed(writer, 21, 21),
        numbers: count(1, 21),
      },
    ],
  ])(
    'is saved where a read let only a part of the log into the database before the cut: %s',
    async (_what, { before, act, later, numbers }) => {
      const { writer } = stand.open();
      await committed(writer, 1, before);
      await writer.idle();
      await act(writer);
      const other = new (needSqlite().DatabaseSync)(join(stand.folder, 'sidelight.db'), { readOnly: true });
      other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM message').get();
      await later(writer);
      // Some pages of the log are in the database then, and those that were changed after the read began are not.
      await writer.ask('settle', null);
      cut(stand.folder, () => 0);
      other.close();
      const reopened = await writer.reopen();
      expect(reopened).toMatchObject({ why: 'cut', lost: 0 });
      const next = before + 100;
      await committed(writer, next, next);
      await writer.idle();
      expect(wrongIn(stand.folder)).toEqual([]);
      expect(tablesOf(stand.folder)).toMatchObject([...numbers, next].map((number) => ({ number })));
      expect(reopened?.report.notes).toEqual([
        expect.stringContaining('damaged (a part of its log was lost)'),
      ]);
    },
  );

  test('is saved where its file is removed together with such a cut', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 20);
    await writer.idle();
    await processed(writer, 1, 1);
    const other = new (needSqlite().DatabaseSync)(join(stand.folder, 'sidelight.db'), { readOnly: true });
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM message').get();
    await committed(writer, 21, 21);
    await writer.ask('settle', null);
    cut(stand.folder, () => 0);
    for (const ending of ['', '-wal', '-shm']) rmSync(join(stand.folder, `sidelight.db${ending}`));
    other.close();
    expect(await writer.rescue()).toMatchObject({ isSaved: true, lost: 0 });
    await committed(writer, 30, 30);
    await writer.idle();
    expect(wrongIn(stand.folder)).toEqual([]);
    expect(tablesOf(stand.folder)).toMatchObject([...count(1, 21), 30].map((number) => ({ number })));
  });

  test('is saved after a second cut where a read let only a part of the log into it at the opening after the first', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 40);
    // What is left of the log may be used. The read sees that, and what is brought back comes behind it.
    cut(stand.folder, (bytes) => Math.floor(bytes / 2));
    const other = readOnceDropped();
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    vi.restoreAllMocks();
    cut(stand.folder, () => 0);
    other.close();
    const reopened = await writer.reopen();
    expect(reopened).toMatchObject({ why: 'cut', lost: 0 });
    await committed(writer, 50, 50);
    await writer.idle();
    expect(wrongIn(stand.folder)).toEqual([]);
    expect(tablesOf(stand.folder)).toMatchObject([...count(1, 40), 50].map((number) => ({ number })));
    expect(reopened?.report.notes).toEqual([expect.stringContaining('damaged (a part of its log was lost)')]);
  });

  /** A cut after which another program's read keeps in the log what was brought back. */
  async function cutWhileRead(writer: Appender): Promise<readonly string[]> {
    cut(stand.folder, () => 0);
    const other = readOnceDropped();
    try {
      return (await writer.reopen())?.report.notes ?? [];
    } finally {
      other.close();
    }
  }

  test('tells once of a group that is lost, however often the others are brought back', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 2);
    expect(await cutWhileRead(writer)).toEqual([]);
    await writer.idle();
    // A group that goes into the database by itself stands in the log alone while a read holds it up there.
    const reader = new (needSqlite().DatabaseSync)(join(stand.folder, 'sidelight.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM message').get();
    expect(await writer.write([whole(3, { wire: 'x'.repeat(3_000_000) })], false)).toEqual(NONE);
    reader.close();
    await committed(writer, 4, 4);
    expect(await cutWhileRead(writer)).toEqual([
      expect.stringContaining('could not read 1 of the newest groups'),
    ]);
    await committed(writer, 5, 5);
    expect(await cutWhileRead(writer)).toEqual([]);
    await committed(writer, 6, 6);
    vi.restoreAllMocks();
    cut(stand.folder, () => 0);
    expect(await writer.reopen()).toMatchObject({ lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual([1, 2, 4, 5, 6].map((number) => row(number)));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test('keeps no more with each cut than what came', async () => {
    const { writer } = stand.open(stand.folder, {}, 'full');
    await committed(writer, 1, 2);
    const kept: number[] = [];
    for (const number of count(3, 6)) {
      expect(await cutWhileRead(writer)).toEqual([]);
      kept.push(statSync(join(stand.folder, 'sidelight.db-newest-kept')).size);
      await committed(writer, number, number);
    }
    expect(Math.max(...kept)).toBe(kept[0]);
    vi.restoreAllMocks();
    cut(stand.folder, () => 0);
    await writer.reopen();
    expect(tablesOf(stand.folder)).toEqual(count(1, 6).map((number) => row(number)));
  });

  test('without its name takes both files, and says nothing of groups that it has', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 2);
    await cutWhileRead(writer);
    await committed(writer, 3, 4);
    vi.restoreAllMocks();
    const file = join(stand.killed(), 'sidelight.db');
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    const db = new (needSqlite().DatabaseSync)(file);
    try {
      migrate(db, file, () => undefined);
      // As the saving of a damaged file leaves it of which the page with the name is lost.
      const tables = new Tables(db);
      for (const number of count(1, 4)) expect(tables.write([whole(number)])).toEqual([undefined]);
      tables.continueFrom('', 0);
      expect(takeNewest(file, tables, 'now')).toEqual([]);
      expect([tables.folded, tables.name]).toEqual([4, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    } finally {
      db.close();
    }
    expect(tablesOf(dirname(file))).toMatchObject(count(1, 4).map((number) => ({ number })));
  });

  test('is kept beside the newest records until a checkpoint has moved all of it', async () => {
    const { writer } = stand.open();
    await committed(writer, 1, 2);
    const other = readOnceDropped();
    cut(stand.folder, () => 0);
    await writer.reopen();
    vi.restoreAllMocks();
    const kept = join(stand.folder, 'sidelight.db-newest-kept');
    await committed(writer, 3, 3);
    await writer.idle();
    expect(existsSync(kept)).toBe(true);
    other.close();
    await committed(writer, 4, 4);
    await writer.idle();
    expect(existsSync(kept)).toBe(false);
    const { tables, report } = await stand.afterStart(stand.killed());
    expect(tables).toEqual(count(1, 4).map((number) => row(number)));
    expect(report.notes).toEqual([]);
  });

  test('has all that a start took in from the newest records', async () => {
    await committed(stand.open().writer, 1, 6);
    const folder = stand.killed();
    const { writer } = stand.open(folder);
    await committed(writer, 7, 7);
    cut(folder, () => 0);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(tablesOf(folder)).toEqual(count(1, 7).map((number) => row(number)));
    expect(wrongIn(folder)).toEqual([]);
  });

  test('takes groups that could not follow where it is opened again, and says nothing of them before', async () => {
    const { writer } = stand.open();
    const told: string[] = [];
    writer.onTrouble((text) => told.push(text));
    await committed(writer, 1, 1);
    await writer.write([whole(2)], false);
    cut(stand.folder, () => 0);
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(told).toEqual([]);
    expect(tablesOf(stand.folder)).toEqual([row(1), row(2)]);
  });
});

describe.skipIf(process.platform === 'win32')('a history that cannot be opened again at once', () => {
  let stand: MendingStand;
  beforeEach(() => {
    stand = new MendingStand();
  });
  afterEach(() => stand.remove());

  test('goes on once its readers can open it, and then says what happened', async () => {
    const { writer, rescue } = await stand.inUse(1);
    cut(stand.folder, () => 0);
    stand.failsToRead = true;
    expect(await rescue.reopen()).toBe(false);
    expect(rescue.error?.message).toContain('too many open files');
    expect(await rescue.reopen()).toBe(false);
    expect(stand.reported).toEqual([]);
    stand.failsToRead = false;
    expect(await rescue.reopen()).toBe(true);
    expect(rescue.error).toBeUndefined();
    expect(stand.reported).toEqual([expect.stringMatching(/was cut .* Nothing is lost\./)]);
    expect(await writer.write([whole(2)], false)).toEqual(NONE);
  });

  test('is not said to be removed where Sidelight itself has replaced it', async () => {
    const { rescue } = await stand.inUse(1);
    expect(await rescue.run()).toBe(true);
    expect([stand.reported, stand.asked.includes('rescue')]).toEqual([[], false]);
  });

  test.each([
    ['has all of it where its file is removed before that', true],
    ['is not said to be written again where nobody has its file open', false],
  ])('%s', async (_, isHeld) => {
    const { writer, rescue } = await stand.inUse(1);
    cut(stand.folder, () => 0);
    refuseOnce();
    expect(await rescue.reopen()).toBe(false);
    vi.restoreAllMocks();
    for (const ending of ['', '-wal', '-shm'])
      rmSync(join(stand.folder, `sidelight.db${ending}`), { force: true });
    // The watches of the log come before that of the database, or after it.
    expect(await rescue.wantsReopen()).not.toBe(false);
    expect(await rescue.reopen()).toBe(false);
    expect(stand.reported).toEqual([]);
    if (!isHeld) vi.spyOn(HeldFile.prototype, 'fd', 'get').mockReturnValue(undefined);
    expect(await rescue.run()).toBe(true);
    vi.restoreAllMocks();
    expect(await rescue.reopen()).toBe(true);
    rescue.releaseLock();
    expect(stand.reported).toEqual([
      expect.stringMatching(
        isHeld
          ? /file of the history was removed .* has written it again as .*\.db\.$/
          : /was removed while .* repairing it\. What only that file had is lost\. .* begun a new one/,
      ),
    ]);
    expect(tablesOf(stand.folder)).toEqual(isHeld ? [row(1)] : []);
    const aside = readdirSync(stand.folder).filter((name) => name.includes('.replaced-'));
    expect(aside).toHaveLength(isHeld ? 0 : 1);
    expect(await writer.write([whole(2)], false)).toEqual(NONE);
  });

  test('is not said to be removed where only a copy of it was put in its place', async () => {
    const { writer, rescue } = await stand.inUse(1);
    cut(stand.folder, () => 0);
    refuseOnce();
    expect(await rescue.reopen()).toBe(false);
    vi.restoreAllMocks();
    const file = join(stand.folder, 'sidelight.db');
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(stand.reported).toEqual([
      expect.stringMatching(/^Another file was put in the place of the history .* has opened that file\./),
    ]);
    expect(tablesOf(stand.folder)).toEqual([row(1)]);
    expect(await writer.write([whole(2)], false)).toEqual(NONE);
  });

  test('has all of it where its file is removed at that moment', async () => {
    const { writer, rescue } = await stand.inUse(1);
    cut(stand.folder, () => 0);
    // The file is still there when the state of the log is asked.
    vi.spyOn(Fold.prototype, 'dropCutLog').mockImplementationOnce(() => {
      for (const ending of ['', '-wal', '-shm'])
        rmSync(join(stand.folder, `sidelight.db${ending}`), { force: true });
      return false;
    });
    expect(await rescue.reopen()).toBe(true);
    vi.restoreAllMocks();
    expect(stand.reported).toEqual([expect.stringMatching(/log beside .* was cut .* Nothing is lost\./)]);
    expect(await writer.write([whole(2)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toEqual([row(1), row(2)]);
  });

  test('is written again where its file is removed while it is opened', async () => {
    const { writer, rescue } = await stand.inUse(3);
    const file = join(stand.folder, 'sidelight.db');
    rmSync(`${file}-wal`);
    const { markClean } = Tables.prototype;
    vi.spyOn(Tables.prototype, 'markClean').mockImplementation(function (this: Tables, isClean) {
      markClean.call(this, isClean);
      if (!isClean) rmSync(file);
    });
    stand.failsToRead = true;
    expect(await rescue.reopen()).toBe(false);
    vi.restoreAllMocks();
    stand.failsToRead = false;
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(stand.reported).toEqual([expect.stringMatching(/was removed .* has written it again as/)]);
    expect(tablesOf(stand.folder)).toEqual([row(1), row(2), row(3)]);
    expect(await writer.write([whole(4)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toHaveLength(4);
  });

  test('takes no group until it is open, and loses none that it took before', async () => {
    const { writer } = await stand.inUse(1);
    const told: string[] = [];
    writer.onTrouble((text) => told.push(text));
    await writer.write([whole(2)], false);
    cut(stand.folder, () => 0);
    refuseOnce();
    await expect(writer.reopen()).rejects.toThrow('unable to open');
    vi.restoreAllMocks();
    await expect(writer.write([whole(3)], false)).rejects.toThrow('closed');
    expect(await writer.reopen()).toMatchObject({ why: 'cut', lost: 0 });
    expect(await writer.write([whole(3)], false)).toEqual(NONE);
    expect(told).toEqual([]);
    expect((await stand.afterStart(stand.killed())).tables).toEqual([row(1), row(2), row(3)]);
  });

  test('is whole after it was written again at its place', async () => {
    const { writer } = await stand.inUse(1);
    cut(stand.folder, () => 0);
    refuseOnce();
    await expect(writer.reopen()).rejects.toThrow('unable to open');
    vi.restoreAllMocks();
    expect(await writer.rescue()).not.toBeNull();
    expect(await writer.logState()).toBe('whole');
    expect(await writer.write([whole(2)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toEqual([row(1), row(2)]);
  });
});

describe('the file of the newest records while the database is opened again', () => {
  let stand: NewestStand;
  afterEach(() => stand.remove());

  test.skipIf(process.platform === 'win32')('is put back by the thread that writes', async () => {
    let gate = Promise.resolve();
    let open = (): void => undefined;
    stand = new NewestStand(() => gate);
    const { writer } = stand.open();
    await committed(writer, 1, 1);
    await writer.write([whole(2)], false);
    const newest = join(stand.folder, 'sidelight.db-newest');
    rmSync(newest);
    cut(stand.folder, () => 0);
    gate = new Promise((resolve) => (open = resolve));
    const reopening = writer.reopen();
    await expect.poll(() => stand.asked.at(-1)).toBe('reopen');
    expect(existsSync(newest)).toBe(false);
    open();
    expect(await reopening).toMatchObject({ why: 'cut', lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual([row(1), row(2)]);
  });

  test.skipIf(process.platform === 'win32')('gives back no place of the file that followed', async () => {
    let gate = Promise.resolve();
    let open = (): void => undefined;
    const shut = (): void => void (gate = new Promise((resolve) => (open = resolve)));
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    };
    stand = new NewestStand(() => gate);
    const { writer } = stand.open();
    const wire = 'x'.repeat(200_000);
    for (const number of count(1, 4)) await writer.write([whole(number, { wire })], false);
    await writer.ask('commit', null);
    cut(stand.folder, () => 0);
    shut();
    const reopening = writer.reopen();
    await turns();
    const resting = writer.idle();
    expect(stand.asked.slice(-2)).toEqual(['reopen', 'idle']);
    open();
    expect(await reopening).toMatchObject({ why: 'cut', lost: 0 });
    await resting;
    shut();
    const writes = (async () => {
      for (const number of count(5, 18)) await writer.write([whole(number, { wire })], false);
    })();
    // Everything that can be written without the thread is written.
    await turns();
    open();
    await writes;
    await writer.idle();
    expect(tablesOf(stand.folder)).toEqual(count(1, 18).map((number) => row(number)));
  });
});

describe.skipIf(process.platform === 'win32')('reads of a history whose log cannot be created again', () => {
  let at: InUse['at'];
  let journal: InUse['journal'];
  let reported: InUse['reported'];
  beforeEach(async () => {
    ({ at, journal, reported } = await historyInUse());
  });
  afterEach(() => at.remove());

  test('do not try it again each time, and it goes on once nothing is in the way', async () => {
    // Most of what follows is between two looks at the files.
    await at.remove();
    ({ at, journal } = await historyInUse(1000));
    const log = `${at.file}-wal`;
    rmSync(log);
    mkdirSync(log);
    await expect
      .poll(() => journal.trouble, { timeout: 15_000 })
      .toContain('could not open the history again');
    const why = 'could not open the history again';
    await journal.setSync('full');
    const keep = { maxMessages: 1, maxBytes: 1, olderThanMs: 1, spared: [] };
    await expect(journal.prune(keep, 0, 10)).rejects.toThrow(why);
    await expect(journal.size?.()).rejects.toThrow(why);
    const tries = vi.spyOn(Rescue.prototype, 'reopen');
    for (const number of count(1, 20)) {
      await expect(journal.append([delivered(1, 'processed', { nth: number + 1 })])).rejects.toThrow(why);
      await expect(journal.get(`msg_${number}`)).rejects.toThrow(why);
    }
    // The watches of both files may have looked meanwhile.
    expect(tries.mock.calls.length).toBeLessThan(5);
    vi.restoreAllMocks();
    rmdirSync(log);
    await expect.poll(() => journal.trouble, { timeout: 15_000 }).toBeUndefined();
    await journal.append(finished(6));
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    const said = at.lines.filter((line) => line.includes('not shown'));
    expect(said.length).toBeLessThan(2);
  });

  test('find all of it where its file is removed too', async () => {
    const log = `${at.file}-wal`;
    rmSync(log);
    mkdirSync(log);
    await expect
      .poll(() => journal.trouble, { timeout: 15_000 })
      .toContain('could not open the history again');
    rmSync(at.file);
    rmdirSync(log);
    await expect.poll(() => journal.trouble, { timeout: 15_000 }).toBeUndefined();
    expect(reported).toEqual([
      expect.stringMatching(/file of the history was removed .* has written it again/),
    ]);
    await journal.append(finished(6));
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
  });
});

test('what a read could not bring into the tables is said once for each reason', async () => {
  const lines: string[] = [];
  let reason = 'the disk is gone';
  const appender = {
    isOver: false,
    ask: () => (reason === '' ? Promise.resolve(true) : Promise.reject(new JournalError('broken', reason))),
  };
  const catchUp = new CatchUp({
    appender: appender as unknown as Appender,
    how: { folder: '', sync: 'normal', ballastBytes: 0 },
    log: { write: (_level, _part, text) => lines.push(text) },
    mended: () => Promise.resolve(false),
  });
  const reads = async (): Promise<void> => {
    for (let read = 0; read < 3; read += 1) {
      catchUp.wrote();
      await catchUp.now();
    }
  };
  await reads();
  reason = 'the history is closed';
  await reads();
  // Two reasons that alternate are said once each too.
  reason = 'the disk is gone';
  await reads();
  reason = '';
  await reads();
  reason = 'the history is closed';
  await reads();
  const shut = 'The newest records are not shown: the history is closed.';
  expect(lines).toEqual(['The newest records are not shown: the disk is gone.', shut, shut]);
});
