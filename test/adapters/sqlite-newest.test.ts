// The file of the newest records: what counts is there after a kill at any moment, once, whatever became of the file's end.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { NewestFile, readLeft } from '../../core/adapters/sqlite-journal/newest.ts';
import type { Left } from '../../core/adapters/sqlite-journal/newest.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { OpenReport, SyncLevel } from '../../core/adapters/sqlite-journal/requests.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Writer } from '../../core/adapters/sqlite-journal/writer.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { accepted, count, delivered, published } from './journal-records.ts';

let root: string;
let folder: string;
let writer: Writer;
const writers: Writer[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sidelight-newest-'));
  folder = join(root, '0');
  cpSync(mkdtempSync(join(root, 'empty-')), folder, { recursive: true });
  ({ writer } = opened(folder));
});
afterEach(() => {
  for (const each of writers.splice(0)) each.close();
  rmSync(root, { recursive: true, force: true });
});

const how = (of: string, sync: SyncLevel = 'normal') => ({ folder: of, sync, ballastBytes: 0 });

function opened(of: string): { writer: Writer; report: OpenReport } {
  const made = new Writer(Date.now, () => undefined);
  writers.push(made);
  return { writer: made, report: made.open(how(of)) };
}

const ops = (...records: JournalRecord[]): Op[] => opsOf(records, new RecentWires(0));

/** Message `number`, accepted and delivered. */
const whole = (number: number): Op[] =>
  ops(accepted(number), published(number), delivered(number, 'processed', { attempt: {}, transition: {} }));

/** What the system leaves of a process that is killed now. */
let copies = 0;
function killed(of = folder): string {
  const copy = join(root, `copy-${++copies}`);
  cpSync(of, copy, { recursive: true });
  return copy;
}

/** Each message with its deliveries, attempts and transitions as the tables of a folder have them. */
function tablesOf(of: string): unknown[] {
  const db = new (needSqlite().DatabaseSync)(join(of, 'sidelight.db'), { readOnly: true });
  try {
    return db
      .prepare(
        `SELECT m.number, m.published,
           (SELECT group_concat(state) FROM delivery d WHERE d.number = m.number) AS states,
           (SELECT count(*) FROM attempt a WHERE a.number = m.number) AS attempts,
           (SELECT count(*) FROM transition t WHERE t.number = m.number) AS transitions
         FROM message m ORDER BY number`,
      )
      .all();
  } finally {
    db.close();
  }
}

const row = (number: number, more = {}) => ({
  number,
  published: 1,
  states: 'processed',
  attempts: 1,
  transitions: 1,
  ...more,
});

/** The tables of a folder after a start and an end in order. */
function afterStart(of: string): { tables: unknown[]; report: OpenReport } {
  const { writer: next, report } = opened(of);
  next.close();
  return { tables: tablesOf(of), report };
}

const newest = (of = folder): string => join(of, 'sidelight.db-newest');
const NONE = [null];

test('what counts is not in the tables yet, and is there after a kill', () => {
  expect(writer.write([whole(1)])).toEqual(NONE);
  expect(writer.write([whole(2), whole(3)])).toEqual([null, null]);
  const copy = killed();
  expect(tablesOf(copy)).toEqual([]);
  const { tables, report } = afterStart(copy);
  expect(tables).toEqual([row(1), row(2), row(3)]);
  expect(report).toMatchObject({ wasUnclean: true, notes: [] });
  expect(existsSync(newest(copy))).toBe(false);
});

test.each<[SyncLevel, number]>([
  ['full', 1],
  ['normal', 0],
])('with sync %s a group costs %i syncs, and few pages', (level, syncs) => {
  writer.sync(level);
  writer.write([whole(1)]);
  const before = writer.counts;
  for (const number of count(2, 101)) writer.write([whole(number)]);
  writer.idle();
  const after = writer.counts;
  expect(after.groups - before.groups).toBe(100);
  expect(after.syncs - before.syncs - 100 * syncs).toBeLessThan(10);
  expect(after.pageWrites - before.pageWrites).toBeLessThan(5 * 100);
  expect(statSync(newest()).size === 2 * 1024 * 1024).toBe(level === 'full');
});

test('a folder that was closed in order has no such file', () => {
  writer.write([whole(1)]);
  expect(existsSync(newest())).toBe(true);
  writer.close();
  expect(readdirSync(folder)).toEqual(['sidelight.db']);
  expect(tablesOf(folder)).toEqual([row(1)]);
});

describe('a kill at each step of a fold', () => {
  const three = (): void => {
    writer.write([ops(accepted(1))]);
    writer.write([ops(published(1), delivered(1, 'queued', { transition: {} }))]);
    writer.write([ops(delivered(1, 'processed', { attempt: {}, transition: {} })), ops(accepted(2))]);
  };
  const THREE = [
    row(1, { transitions: 2 }),
    row(2, { published: 0, states: null, attempts: 0, transitions: 0 }),
  ];

  test.each<[string, () => void]>([
    ['before it', () => undefined],
    ['after the commit', () => writer.fold()],
    ['after the checkpoint, when the place is free again', () => writer.idle()],
  ])('%s', (_, step) => {
    three();
    step();
    const copy = killed();
    expect(afterStart(copy).tables).toEqual(THREE);
    expect(afterStart(copy)).toMatchObject({ tables: THREE, report: { wasUnclean: false, notes: [] } });
  });

  test('when the place is used again, beside older frames', () => {
    for (const number of count(1, 20)) writer.write([whole(number)]);
    writer.idle();
    writer.write([whole(21)]);
    expect(afterStart(killed())).toMatchObject({
      tables: count(1, 21).map((n) => row(n)),
      report: { notes: [] },
    });
    writer.write([whole(22)]);
    writer.fold();
    writer.write([whole(23)]);
    expect(afterStart(killed())).toMatchObject({
      tables: count(1, 23).map((n) => row(n)),
      report: { notes: [] },
    });
  });

  test('of a start, after its commit: the frames are there once more', () => {
    three();
    const copy = killed();
    const before = join(root, 'newest-before');
    copyFileSync(newest(copy), before);
    const { writer: next } = opened(copy);
    const again = killed(copy);
    copyFileSync(before, newest(again));
    expect(afterStart(again).tables).toEqual(THREE);
    next.write([whole(3)]);
    expect(afterStart(killed(copy)).tables).toEqual([...THREE, row(3)]);
  });

  test('of a start, before its commit', () => {
    three();
    const copy = killed();
    const db = new (needSqlite().DatabaseSync)(join(copy, 'sidelight.db'));
    db.exec('BEGIN IMMEDIATE');
    const again = killed(copy);
    db.exec('ROLLBACK');
    db.close();
    expect(afterStart(again).tables).toEqual(THREE);
  });
});

test('random groups, folds and removals: a kill after each of them loses and doubles nothing', () => {
  let seed = 7;
  const below = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  const expected = new Map<number, ReturnType<typeof row>>();
  const refused: unknown[] = [];
  let last = 0;
  for (let step = 0; step < 60; step++) {
    const kind = below(10);
    if (kind < 6) {
      const calls = count(1, 1 + below(3)).map(() => whole(++last));
      refused.push(...writer.write(calls).filter((failure) => failure !== null));
      for (const number of count(last - calls.length + 1, last)) expected.set(number, row(number));
    } else if (kind === 6 && last > 0) {
      const number = 1 + below(last);
      writer.write([ops(delivered(number, 'processed', { attempt: {}, transition: {} }))]);
      const known = expected.get(number);
      if (known !== undefined)
        expected.set(number, { ...known, attempts: known.attempts + 1, transitions: known.transitions + 1 });
    } else if (kind === 7) writer.fold();
    else if (kind === 8) writer.idle();
    else {
      writer.prune({ keep: { maxMessages: 20, maxBytes: Infinity, olderThanMs: 0 }, slice: 100 });
      for (const number of [...expected.keys()].slice(0, Math.max(0, expected.size - 20)))
        expected.delete(number);
    }
    if (step % 3 !== 0) continue;
    expect(afterStart(killed()).tables).toEqual([...expected.values()]);
  }
  expect(last).toBeGreaterThan(40);
  expect(refused).toEqual([]);
});

describe('the end of the file', () => {
  const NAME = 'of a test';
  const counts = { writes: 0, syncs: 0, bytes: 0 };
  /** A file with three groups, and where the last one begins and ends. */
  function three(older: boolean): { path: string; start: number; end: number } {
    const path = join(root, `three-${older}`);
    const file = new NewestFile(path, NAME, counts, 8192);
    const append = (number: number): void =>
      file.append(number, NewestFile.bodyOf([ops(published(number))]), 'normal');
    if (older) {
      for (let number = 1; file.hasRoomFor(NewestFile.bodyOf([ops(published(1000))])); number++)
        append(number);
      file.rewind();
    }
    append(1001);
    append(1002);
    append(1003);
    file.close();
    const bytes = readFileSync(path);
    const body = bytes.indexOf('msg_1003');
    return { path, start: bytes.lastIndexOf('SLnf', body), end: body + 'msg_1003'.length };
  }
  const numbers = (left: Left): number[] =>
    left.kind === 'own' ? left.frames.map(({ number }) => number) : [];

  test.each([false, true])(
    'torn at every byte is cut there, and said (older frames behind it: %s)',
    (older) => {
      const { path, start, end } = three(older);
      const sound = readFileSync(path);
      const torn = join(root, 'torn');
      expect(readLeft(path, NAME, 1000)).toMatchObject({ kind: 'own', missing: 0, isTorn: false });
      for (let at = start; at < end; at++) {
        const bytes = Buffer.from(sound);
        bytes.fill(0xee, at, end);
        writeFileSync(torn, bytes);
        const left = readLeft(torn, NAME, 1000);
        expect([at, numbers(left)]).toEqual([at, [1001, 1002]]);
        expect(left).toMatchObject({ missing: 0, isTorn: true });
      }
      // Only as much of it as there was, and nothing behind it.
      for (let at = start; at < end; at++) {
        writeFileSync(torn, sound.subarray(0, at));
        expect(numbers(readLeft(torn, NAME, 1000))).toEqual([1001, 1002]);
      }
    },
  );

  test('a byte that changed costs its own group alone, whichever it is', () => {
    const { path } = three(false);
    const sound = readFileSync(path);
    const first = sound.indexOf('SLnf');
    const second = sound.indexOf('SLnf', first + 1);
    const changed = join(root, 'changed');
    for (let at = first; at < second; at++) {
      const bytes = Buffer.from(sound);
      bytes.writeUInt8((bytes[at] ?? 0) ^ 0x10, at);
      writeFileSync(changed, bytes);
      const left = readLeft(changed, NAME, 1000);
      expect([at, numbers(left)]).toEqual([at, [1002, 1003]]);
      expect(left).toMatchObject({ missing: 1 });
    }
  });

  test('the file of another history, of a newer version, and one whose beginning is gone', () => {
    const { path } = three(false);
    expect(readLeft(path, 'other', 0)).toEqual({ kind: 'foreign' });
    expect(readLeft(join(root, 'none'), NAME, 0)).toEqual({ kind: 'none' });
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(2, 16);
    writeFileSync(path, bytes);
    expect(() => readLeft(path, NAME, 0)).toThrow(/newer version/);
    bytes.fill(0, 0, 64);
    writeFileSync(path, bytes);
    expect(numbers(readLeft(path, NAME, 1000))).toEqual([1001, 1002, 1003]);
  });
});

test('a start says what was cut off, and what is lost', () => {
  for (const number of [1, 2, 3]) writer.write([whole(number)]);
  const [torn, hurt] = [killed(), killed()];
  const bytes = readFileSync(newest(torn));
  const last = bytes.lastIndexOf('msg_3');
  bytes.fill(0, last);
  writeFileSync(newest(torn), bytes);
  expect(afterStart(torn)).toMatchObject({
    tables: [row(1), row(2)],
    report: { notes: [expect.stringContaining('was cut off')] },
  });
  const middle = readFileSync(newest(hurt));
  middle.fill(0xee, middle.indexOf('msg_2'), middle.indexOf('msg_2') + 3);
  writeFileSync(newest(hurt), middle);
  expect(afterStart(hurt)).toMatchObject({
    tables: [row(1), row(3)],
    report: { notes: [expect.stringMatching(/^1 of the groups .* lost/)] },
  });
});

test('the file of another history is set aside', () => {
  writer.write([whole(1)]);
  const copy = killed();
  rmSync(join(copy, 'sidelight.db'));
  rmSync(join(copy, 'sidelight.db-wal'), { force: true });
  const { tables, report } = afterStart(copy);
  expect(tables).toEqual([]);
  expect(report.notes).toEqual([expect.stringContaining('belonged to another history')]);
  expect(readdirSync(copy).some((name) => name.startsWith('sidelight.db-newest.replaced-'))).toBe(true);
});

describe('beside a damaged database', () => {
  beforeEach(() => {
    for (const number of count(1, 30)) writer.write([whole(number)]);
    writer.idle();
    for (const number of count(31, 40)) writer.write([whole(number)]);
  });

  test('what only it has is saved too', () => {
    const copy = killed();
    const file = join(copy, 'sidelight.db');
    // All of it is in the database.
    rmSync(`${file}-wal`);
    const bytes = readFileSync(file);
    const page = Math.floor(bytes.indexOf('att_1') / 4096) * 4096;
    bytes.fill(0xa5, page, page + 4096);
    writeFileSync(file, bytes);
    const db = new (needSqlite().DatabaseSync)(file);
    expect(db.prepare('PRAGMA quick_check(1)').get()).not.toMatchObject({ quick_check: 'ok' });
    db.close();
    const { tables, report } = afterStart(copy);
    expect(report.salvage?.messages).toBeGreaterThan(0);
    expect(tables).toEqual(expect.arrayContaining(count(31, 40).map((number) => row(number))));
  });

  test('without anything of it, all that the file still has is taken, once', () => {
    writer.fold();
    for (const number of count(41, 45)) writer.write([whole(number)]);
    const copy = killed();
    writeFileSync(join(copy, 'sidelight.db'), '');
    rmSync(join(copy, 'sidelight.db-wal'));
    const { tables } = afterStart(copy);
    // Frames whose place was used again are gone; older frames behind them are still there.
    expect(tables.length).toBeGreaterThan(15);
    expect(tables).toEqual(count(46 - tables.length, 45).map((number) => row(number)));
    expect(afterStart(copy)).toMatchObject({ tables, report: { notes: [] } });
  });
});

test('a group that is too large for the file goes into the database itself', () => {
  writer.write([whole(1)]);
  const wide = ops(accepted(2, { data: 'x'.repeat(3_000_000) }));
  expect(writer.write([wide, whole(3)])).toEqual([null, null]);
  const copy = killed();
  expect(tablesOf(copy)).toHaveLength(3);
  writer.write([whole(4)]);
  expect(afterStart(killed()).tables).toHaveLength(4);
});

test('when the file is full its place is used again', () => {
  const wide = (number: number): Op[] => ops(accepted(number, { data: 'x'.repeat(100_000) }));
  for (const number of count(1, 50)) expect(writer.write([wide(number)])).toEqual(NONE);
  expect(tablesOf(killed()).length).toBeGreaterThan(30);
  expect(afterStart(killed()).tables).toHaveLength(50);
  expect(readFileSync(newest()).length).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test('a call that is refused is in neither, those beside it are', () => {
  writer.write([whole(1)]);
  const failures = writer.write([whole(2), whole(1), whole(3)]);
  expect(failures).toMatchObject([null, { code: 'broken' }, null]);
  writer.write([ops(delivered(1, 'processed', { transition: {} }))]);
  expect(afterStart(killed())).toMatchObject({
    tables: [row(1, { transitions: 2 }), row(2), row(3)],
    report: { notes: [] },
  });
});

test('a file that is taken away in use is made again, with nothing lost', () => {
  writer.write([whole(1)]);
  rmSync(newest());
  writer.write([whole(2)]);
  writer.fold();
  expect(tablesOf(killed())).toHaveLength(2);
  writer.write([whole(3)]);
  expect(existsSync(newest())).toBe(true);
  expect(afterStart(killed()).tables).toHaveLength(3);
});

test('where the file cannot be written, a group goes into the database itself, with those before it', () => {
  writer.write([whole(1)]);
  const append = vi.spyOn(NewestFile.prototype, 'append').mockImplementation(() => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  expect(writer.write([whole(2), whole(1)])).toMatchObject([null, { code: 'broken' }]);
  expect(writer.write([whole(3)])).toEqual(NONE);
  expect(append).toHaveBeenCalledTimes(1);
  const copy = killed();
  rmSync(newest(copy));
  expect(afterStart(copy).tables).toEqual([row(1), row(2), row(3)]);
  append.mockRestore();
  for (const number of count(4, 130)) writer.write([whole(number)]);
  expect(writer.counts.newestBytes).toBeGreaterThan(10_000);
  expect(afterStart(killed()).tables).toHaveLength(130);
});

test('what was rolled back with a group that found no room is applied again', () => {
  const copy = killed();
  const next = new Writer(Date.now, () => undefined);
  writers.push(next);
  next.open({ ...how(copy), maxPages: 120 });
  let taken = 0;
  const wide = (number: number): Op[] => ops(accepted(number, { data: 'x'.repeat(20_000) }));
  for (let number = 1; next.write([wide(number)])[0] === null; number++) taken = number;
  expect(taken).toBeGreaterThan(3);
  expect(afterStart(killed(copy)).tables).toHaveLength(taken);
  next.fold();
  expect(tablesOf(copy)).toHaveLength(taken);
});
