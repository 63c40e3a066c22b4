/** The file of the newest records: what counts is there after a kill at any moment, once, whatever became of the file's end. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Fold } from '../../core/adapters/sqlite-journal/fold.ts';
import { framesOf, readLeft } from '../../core/adapters/sqlite-journal/newest-frames.ts';
import type { Left } from '../../core/adapters/sqlite-journal/newest-frames.ts';
import { NewestFile } from '../../core/adapters/sqlite-journal/newest-file.ts';
import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { SyncLevel } from '../../core/adapters/sqlite-journal/requests.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { accepted, count, delivered, published } from './journal-records.ts';
import { frameOf, NewestStand, NONE, ops, row, tablesOf, whole } from './newest-stand.ts';

let stand: NewestStand;
let root: string;
let folder: string;
let writer: Appender;
let said: string[];
beforeEach(() => {
  stand = new NewestStand();
  ({ root, folder, said } = stand);
  ({ writer } = stand.open());
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await stand.remove();
});

/** Groups of calls, new ones without a doubt. */
const write = (calls: Op[][], into = writer) => into.write(calls, false);
const opened = (of: string, more?: { readonly maxPages?: number }) => stand.open(of, more);
const killed = (of?: string) => stand.killed(of);
const afterStart = (of: string) => stand.afterStart(of);

const newest = (of = folder): string => join(of, 'sidelight.db-newest');

test('valid records are not in the tables yet, and exist after a kill', async () => {
  expect(await write([whole(1)])).toEqual(NONE);
  expect(await write([whole(2), whole(3)])).toEqual([null, null]);
  const copy = killed();
  expect(tablesOf(copy)).toEqual([]);
  const { tables, report } = await afterStart(copy);
  expect(tables).toEqual([row(1), row(2), row(3)]);
  expect(report).toMatchObject({ wasUnclean: true, notes: [] });
  expect(existsSync(newest(copy))).toBe(false);
});

test.each<[SyncLevel, number]>([
  ['full', 1],
  ['normal', 0],
])('with sync %s a group costs %i syncs, and few pages', async (level, syncs) => {
  await writer.setSync(level);
  for (const number of count(1, 101)) await write([whole(number)]);
  expect(statSync(newest()).size === 2 * 1024 * 1024).toBe(level === 'full');
  const { groups = 0, syncs: made = 0, pageWrites = 0 } = (await writer.close()) ?? {};
  expect(groups).toBe(101);
  expect(made - 101 * syncs).toBeLessThan(15);
  expect(pageWrites).toBeLessThan(5 * 101);
});

test('with sync full the caller hears of a group once a kill would keep it, and the group counts after its sync', async () => {
  await writer.setSync('full');
  await write([whole(1)]);
  const before = writer.counts.syncs;
  const told: { copy: string; syncs: number }[] = [];
  const tell = (): void => void told.push({ copy: killed(), syncs: writer.counts.syncs - before });
  expect(await writer.write([whole(2)], false, tell)).toEqual(NONE);
  expect(told).toMatchObject([{ syncs: 0 }]);
  expect(writer.counts.syncs - before).toBe(1);
  expect((await afterStart(told[0]?.copy ?? '')).tables).toEqual([row(1), row(2)]);
  await writer.setSync('normal');
  await writer.write([whole(3)], false, tell);
  expect(told).toHaveLength(1);
});

test('a group whose sync fails after its caller heard of it does not count, and the next one takes its place', async () => {
  const file = new NewestFile(join(root, 'failing'), 'of a test', { writes: 0, syncs: 0, bytes: 0 }, 8192);
  const bodyOf = (number: number): Buffer => frameOf([ops(published(number))]);
  await file.append(1, bodyOf(1), 'full');
  const end = file.end;
  const failing = file.append(2, bodyOf(2), 'full', () => file.close());
  await expect(failing).rejects.toMatchObject({ code: 'EBADF' });
  expect(end).toBeGreaterThan(file.first);
  expect(file.end).toBe(file.first);
});

test.each<SyncLevel>(['full', 'normal'])(
  'with sync %s a message that is written at once exists after a kill, once',
  async (level) => {
    // No sync is slow: a group that has to wait for one is not written at once.
    vi.useFakeTimers({ toFake: ['performance'] });
    await writer.setSync(level);
    await write([whole(1)]);
    const { groups, syncs } = writer.counts;
    expect(writer.writeNow(whole(2), 2)).toBe(true);
    const copy = killed();
    expect(writer.counts.groups - groups).toBe(1);
    expect(writer.counts.syncs - syncs).toBe(level === 'full' ? 1 : 0);
    expect((await afterStart(copy)).tables).toEqual([row(1), row(2)]);
    expect(await write([whole(3)])).toEqual(NONE);
    expect((await afterStart(killed())).tables).toEqual([row(1), row(2), row(3)]);
  },
);

test('a group that may be refused or has to wait is not written at once', async () => {
  expect(writer.isNext(2)).toBe(true);
  await write([whole(2)]);
  expect([writer.writeNow(whole(2), 2), writer.writeNow(whole(1), 1)]).toEqual([false, false]);
  await writer.setSync('full');
  vi.spyOn(NewestFile.prototype, 'isQuick', 'get').mockReturnValue(true);
  const slow = writer.write([whole(3)], false, () => undefined);
  expect(writer.isAtOnce).toBe(false);
  expect(writer.writeNow(whole(4), 4)).toBe(false);
  await slow;
  // With full a disk that has just been slow is waited for.
  await writer.setSync('normal');
  expect(writer.writeNow(whole(4), 4)).toBe(true);
  expect((await afterStart(killed())).tables).toEqual([row(2), row(3), row(4)]);
});

test('an orderly close removes the file of the newest records', async () => {
  await write([whole(1)]);
  expect(existsSync(newest())).toBe(true);
  await writer.close();
  expect(readdirSync(folder)).toEqual(['sidelight.db']);
  expect(tablesOf(folder)).toEqual([row(1)]);
});

describe('a kill at each step by which groups come into the tables', () => {
  const three = async (): Promise<void> => {
    await write([ops(accepted(1))]);
    await write([ops(published(1), delivered(1, 'queued', { transition: {} }))]);
    await write([ops(delivered(1, 'processed', { attempt: {}, transition: {} })), ops(accepted(2))]);
  };
  const THREE = [
    row(1, { transitions: 2 }),
    row(2, { published: 0, states: null, attempts: 0, transitions: 0 }),
  ];

  test.each<[string, () => Promise<unknown> | void]>([
    ['before it', () => undefined],
    ['after the commit', () => writer.ask('commit', null)],
    ['after the checkpoint, when the place is free again', () => writer.idle()],
  ])('a kill %s loses no record', async (_, step) => {
    await three();
    await step();
    const copy = killed();
    expect((await afterStart(copy)).tables).toEqual(THREE);
    expect(await afterStart(copy)).toMatchObject({ tables: THREE, report: { wasUnclean: false, notes: [] } });
  });

  test('a kill beside older frames, after the place is used again, loses no record', async () => {
    for (const number of count(1, 20)) await write([whole(number)]);
    await writer.idle();
    await write([whole(21)]);
    expect(await afterStart(killed())).toMatchObject({
      tables: count(1, 21).map((n) => row(n)),
      report: { notes: [] },
    });
    await write([whole(22)]);
    await writer.ask('commit', null);
    await write([whole(23)]);
    expect(await afterStart(killed())).toMatchObject({
      tables: count(1, 23).map((n) => row(n)),
      report: { notes: [] },
    });
  });

  test('a kill at a start after its commit doubles no record, though the frames are read once more', async () => {
    await three();
    const copy = killed();
    const before = join(root, 'newest-before');
    copyFileSync(newest(copy), before);
    const { writer: next } = opened(copy);
    const again = killed(copy);
    copyFileSync(before, newest(again));
    expect((await afterStart(again)).tables).toEqual(THREE);
    await write([whole(3)], next);
    expect((await afterStart(killed(copy))).tables).toEqual([...THREE, row(3)]);
  });

  test('a kill at a start before its commit loses no record', async () => {
    await three();
    const copy = killed();
    const db = new (needSqlite().DatabaseSync)(join(copy, 'sidelight.db'));
    db.exec('BEGIN IMMEDIATE');
    const again = killed(copy);
    db.exec('ROLLBACK');
    db.close();
    expect((await afterStart(again)).tables).toEqual(THREE);
  });
});

/** Notes how safe each commit is from now on, while `isCounted`: 1 = NORMAL, 2 = FULL (https://sqlite.org/pragma.html#pragma_synchronous). */
function watchCommits(isCounted = () => true): unknown[] {
  const { prototype } = needSqlite().DatabaseSync;
  const { exec } = prototype;
  const levels: unknown[] = [];
  vi.spyOn(prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql === 'COMMIT' && isCounted())
      levels.push(this.prepare('PRAGMA synchronous').get()?.['synchronous']);
    Reflect.apply(exec, this, [sql]);
  });
  return levels;
}

test('with sync normal too a start has what it takes in on the disk before it removes the file', async () => {
  await write([whole(1)]);
  const copy = killed();
  const levels = watchCommits(() => existsSync(newest(copy)));
  opened(copy);
  vi.restoreAllMocks();
  expect(existsSync(newest(copy))).toBe(false);
  expect(levels).toEqual([2]);
  expect(tablesOf(killed(copy))).toEqual([row(1)]);
});

test('a level that was changed holds for a database that was removed and made again', async () => {
  await writer.setSync('full');
  await write([whole(1)]);
  rmSync(join(folder, 'sidelight.db'));
  await writer.copyAway();
  await writer.rescue();
  const levels = watchCommits();
  expect(await writer.write([whole(2)], true)).toEqual(NONE);
  vi.restoreAllMocks();
  expect(levels.at(-1)).toBe(2);
  expect((await afterStart(killed())).tables).toEqual([row(1), row(2)]);
});

test('random groups, folds and removals: a kill after each of them loses and doubles nothing', async () => {
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
      refused.push(...(await write(calls)).filter((failure) => failure !== null));
      for (const number of count(last - calls.length + 1, last)) expected.set(number, row(number));
    } else if (kind === 6 && last > 0) {
      const number = 1 + below(last);
      await write([ops(delivered(number, 'processed', { attempt: {}, transition: {} }))]);
      const known = expected.get(number);
      if (known !== undefined)
        expected.set(number, { ...known, attempts: known.attempts + 1, transitions: known.transitions + 1 });
    } else if (kind === 7) await writer.ask('commit', null);
    else if (kind === 8) await writer.idle();
    else {
      await writer.prune({ maxMessages: 20, maxBytes: Infinity, olderThanMs: 0 }, 100);
      for (const number of [...expected.keys()].slice(0, Math.max(0, expected.size - 20)))
        expected.delete(number);
    }
    if (step % 3 !== 0) continue;
    expect((await afterStart(killed())).tables).toEqual([...expected.values()]);
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
      void file.append(number, frameOf([ops(published(number))]), 'normal');
    if (older) {
      for (let number = 1; file.hasRoomFor(frameOf([ops(published(1000))])); number++) append(number);
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
    'torn at any byte is cut there with a note (older frames behind it: %s)',
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

  test('a byte that changed costs its own group alone, whichever it is', async () => {
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

  test('the file of another history is foreign, one of a newer version is refused, and one without its beginning is still read', async () => {
    const { path } = three(false);
    expect(readLeft(path, 'other', 0)).toEqual({ kind: 'foreign' });
    expect(readLeft(join(root, 'none'), NAME, 0)).toEqual({ kind: 'none' });
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(4, 16);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 52)), 52);
    writeFileSync(path, bytes);
    expect(() => readLeft(path, NAME, 0)).toThrow(/newer version/);
    bytes.fill(0, 0, 64);
    writeFileSync(path, bytes);
    expect(numbers(readLeft(path, NAME, 1000))).toEqual([1001, 1002, 1003]);
  });
});

test('a start reports what was cut off and what was lost', async () => {
  for (const number of [1, 2, 3]) await write([whole(number)]);
  const [torn, hurt] = [killed(), killed()];
  const bytes = readFileSync(newest(torn));
  const last = bytes.lastIndexOf('msg_3');
  bytes.fill(0, last);
  writeFileSync(newest(torn), bytes);
  expect(await afterStart(torn)).toMatchObject({
    tables: [row(1), row(2)],
    report: { notes: [expect.stringContaining('was cut off')] },
  });
  const middle = readFileSync(newest(hurt));
  middle.fill(0xee, middle.indexOf('msg_2'), middle.indexOf('msg_2') + 3);
  writeFileSync(newest(hurt), middle);
  expect(await afterStart(hurt)).toMatchObject({
    tables: [row(1), row(3)],
    report: { notes: [expect.stringMatching(/could not read 1 of the newest groups .* lost/)] },
  });
});

test('the file of another history is set aside', async () => {
  await write([whole(1)]);
  const copy = killed();
  rmSync(join(copy, 'sidelight.db'));
  rmSync(join(copy, 'sidelight.db-wal'), { force: true });
  const { tables, report } = await afterStart(copy);
  expect(tables).toEqual([]);
  expect(report).toMatchObject({
    notes: [expect.stringContaining('belonged to another history')],
    mayMiss: true,
  });
  expect(readdirSync(copy).some((name) => name.startsWith('sidelight.db-newest.replaced-'))).toBe(true);
});

describe('beside a damaged database', () => {
  beforeEach(async () => {
    for (const number of count(1, 30)) await write([whole(number)]);
    await writer.idle();
    for (const number of count(31, 40)) await write([whole(number)]);
  });

  test('records that only the file of the newest records has are saved too', async () => {
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
    const { tables, report } = await afterStart(copy);
    expect(report.salvage?.messages).toBeGreaterThan(0);
    expect(tables).toEqual(expect.arrayContaining(count(31, 40).map((number) => row(number))));
  });

  test('with nothing left of the database all records of the file are taken once', async () => {
    await writer.ask('commit', null);
    for (const number of count(41, 45)) await write([whole(number)]);
    const copy = killed();
    writeFileSync(join(copy, 'sidelight.db'), '');
    rmSync(join(copy, 'sidelight.db-wal'));
    const { tables } = await afterStart(copy);
    // Frames whose place was used again are gone; older frames behind them are still there.
    expect(tables.length).toBeGreaterThan(15);
    expect(tables).toEqual(count(46 - tables.length, 45).map((number) => row(number)));
    expect(await afterStart(copy)).toMatchObject({ tables, report: { notes: [] } });
  });

  test('a kill at any commit of the start that takes them without the old database leaves each record once', async () => {
    await write([ops(delivered(40, 'processed', { attempt: {}, transition: {} }))]);
    const copy = killed();
    writeFileSync(join(copy, 'sidelight.db'), '');
    rmSync(join(copy, 'sidelight.db-wal'));
    const kills: string[] = [];
    const { prototype } = needSqlite().DatabaseSync;
    const { exec } = prototype;
    vi.spyOn(prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      Reflect.apply(exec, this, [sql]);
      if (sql === 'COMMIT') kills.push(killed(copy));
    });
    opened(copy);
    vi.restoreAllMocks();
    const tables = tablesOf(killed(copy));
    expect(tables).toContainEqual(row(40, { attempts: 2, transitions: 2 }));
    expect(kills.length).toBeGreaterThan(3);
    for (const each of kills) {
      const after = await afterStart(each);
      expect(after.tables).toEqual(tables);
      expect(after.report.notes.join(' ')).not.toContain('another history');
    }
  });
});

test('a group that is too large for the file goes into the database itself', async () => {
  await write([whole(1)]);
  const wide = ops(accepted(2, { data: 'x'.repeat(3_000_000) }));
  expect(await write([wide, whole(3)])).toEqual([null, null]);
  const copy = killed();
  expect(tablesOf(copy)).toHaveLength(3);
  await write([whole(4)]);
  expect((await afterStart(killed())).tables).toHaveLength(4);
});

test('when the file is full its place is used again, while somebody reads', async () => {
  await writer.ask('commit', null);
  const wide = (number: number): Op[] => ops(accepted(number, { data: 'x'.repeat(100_000) }));
  for (const number of count(1, 50)) expect(await write([wide(number)])).toEqual(NONE);
  expect(tablesOf(killed()).length).toBeGreaterThan(30);
  expect((await afterStart(killed())).tables).toHaveLength(50);
  expect(readFileSync(newest()).length).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test('a refused call is stored nowhere, and its neighbours are stored', async () => {
  await write([whole(1)]);
  const failures = await writer.write([whole(2), whole(1), whole(3)], true);
  expect(failures).toMatchObject([null, { code: 'broken' }, null]);
  await write([ops(delivered(1, 'processed', { transition: {} }))]);
  expect(await afterStart(killed())).toMatchObject({
    tables: [row(1, { transitions: 2 }), row(2), row(3)],
    report: { notes: [] },
  });
});

test.each([
  ['of one group', (calls: Op[][]) => [calls]],
  ['of several groups', (calls: Op[][]) => calls.map((one) => [one])],
])(
  'where the disk refuses a call after a refused one, the calls %s beside them are applied once',
  async (_what, groups) => {
    await write([whole(1)]);
    await writer.ask('commit', null);
    const again = ops(delivered(1, 'processed', { transition: {} }));
    for (const group of groups([again, whole(1), whole(3)])) await write(group);
    const { apply } = Tables.prototype;
    let failures = 1;
    const failing = vi.spyOn(Tables.prototype, 'apply').mockImplementation(function (this: Tables, calls) {
      const at = calls.findIndex((call) => JSON.stringify(call).includes('msg_3'));
      if (at === -1 || failures-- <= 0) return Reflect.apply(apply, this, [calls]);
      // As where SQLite does not roll back: calls before it are applied one by one, after a refused one.
      const before = at === 0 ? [] : Reflect.apply(apply, this, [calls.slice(0, at)]);
      return [...before, Object.assign(new Error('disk I/O error'), { errcode: 10 })];
    });
    await writer.ask('commit', null);
    await writer.ask('commit', null);
    failing.mockRestore();
    expect(tablesOf(killed())).toEqual([row(1, { transitions: 2 }), row(3)]);
    expect(said.filter((line) => line.includes('the journal has message')).length).toBeLessThan(2);
  },
);

test('a file that is removed in use is created again, and nothing is lost', async () => {
  await write([whole(1)]);
  rmSync(newest());
  await write([whole(2)]);
  await writer.ask('commit', null);
  expect(tablesOf(killed())).toHaveLength(2);
  await write([whole(3)]);
  expect(existsSync(newest())).toBe(true);
  expect((await afterStart(killed())).tables).toHaveLength(3);
});

test('when another program cuts the file in use, records that only it had are lost and reported, and the next groups count', async () => {
  await write([whole(1)]);
  await writer.ask('commit', null);
  await write([whole(2)]);
  writeFileSync(newest(), '');
  await writer.ask('commit', null).catch(() => undefined);
  await write([whole(3)]);
  await writer.ask('commit', null).catch(() => undefined);
  expect(said).toEqual([
    expect.stringMatching(
      /cut or changed sidelight\.db-newest .*\. 1 new message and the newest changes .*lost/,
    ),
  ]);
  const { tables } = await afterStart(killed());
  expect(tables).toContainEqual(row(1));
  expect(tables).not.toContainEqual(row(2));
});

test('if the file cannot be written, a group goes into the database itself, with the groups before it', async () => {
  await write([whole(1)]);
  const append = vi.spyOn(NewestFile.prototype, 'append').mockImplementation(() => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  expect(await write([whole(2), whole(1)])).toMatchObject([null, { code: 'broken' }]);
  expect(await write([whole(3)])).toEqual(NONE);
  expect(append).toHaveBeenCalledTimes(1);
  const copy = killed();
  rmSync(newest(copy));
  expect((await afterStart(copy)).tables).toEqual([row(1), row(2), row(3)]);
  append.mockRestore();
  for (const number of count(4, 130)) await write([whole(number)]);
  expect(writer.counts.newestBytes).toBeGreaterThan(10_000);
  expect((await afterStart(killed())).tables).toHaveLength(130);
});

test('records without room in the tables are valid, and are there once there is room', async () => {
  const copy = killed();
  const { writer: next } = opened(copy, { maxPages: 120 });
  let taken = 0;
  const wide = (number: number): Op[] => ops(accepted(number, { data: 'x'.repeat(20_000) }));
  for (let number = 1; (await write([wide(number)], next))[0] === null; number++) taken = number;
  expect(taken).toBeGreaterThan(3);
  expect((await afterStart(killed(copy))).tables).toHaveLength(taken);
  expect(await write([wide(taken + 2)], next)).toMatchObject([{ code: 'full' }]);
  expect((await afterStart(killed(copy))).tables).toHaveLength(taken);
});

test('a call that only the tables refuse is reported, and its neighbours are stored', async () => {
  await write([whole(1)]);
  await write([whole(2), whole(1), whole(3)]);
  await writer.ask('commit', null);
  expect(tablesOf(folder)).toEqual([row(1), row(2), row(3)]);
  expect(said).toEqual([expect.stringContaining('has message msg_1 or number 1 already')]);
});

test('a disk that refuses to take back what the file has grown by leaves it as large as it is', () => {
  const file = new NewestFile(join(root, 'grown'), 'grown', { writes: 0, syncs: 0, bytes: 0 }, 4096);
  void file.append(1, frameOf([whole(1)]), 'normal');
  file.grow(16_384);
  file.rewind();
  const fd = vi.spyOn(file, 'fd', 'get').mockReturnValue(-1);
  file.shrink();
  expect(file.bytes).toBe(16_384);
  fd.mockRestore();
  file.shrink();
  expect(file.bytes).toBe(4096);
  file.close();
});

/** A file of 4096 bytes whose frames are numbered from 1001, and the numbers that a start would find in it. */
function ring() {
  const path = join(root, 'ring');
  const file = new NewestFile(path, 'ring', { writes: 0, syncs: 0, bytes: 0 }, 4096);
  const body = frameOf([ops(published(1000))]);
  let last = 1000;
  const appendUpTo = (number: number): void => {
    while (last < number) void file.append(++last, frameOf([ops(published(last))]), 'normal');
  };
  const fill = (): number => {
    while (file.hasRoomFor(body)) appendUpTo(last + 1);
    return last;
  };
  const found = (after: number): number[] => {
    const left = readLeft(path, 'ring', after);
    expect(left).toMatchObject({ missing: 0, isTorn: false });
    return left.kind === 'own' ? left.frames.map(({ number }) => number) : [];
  };
  return { file, body, appendUpTo, fill, found };
}

test('the file is reused from its beginning while its end is still needed', () => {
  const { file, body, appendUpTo, fill, found } = ring();
  appendUpTo(1010);
  const { end, lap } = file;
  const firstLap = fill();
  expect(file.wrapFor(body)).toBe(false);
  file.free(end, lap);
  expect(file.wrapFor(Buffer.alloc(end))).toBe(false);
  expect(file.wrapFor(body)).toBe(true);
  expect(fill()).toBeGreaterThan(firstLap + 5);
  expect(found(1010)).toEqual(count(1011, fill()));
  expect(file.wrapFor(body)).toBe(false);
  // The end of the first lap is free too: this lap continues behind its records.
  file.free(4000, lap);
  expect(fill()).toBeGreaterThan(firstLap + 20);
  expect(found(firstLap)).toEqual(count(firstLap + 1, fill()));
  file.free(file.end, file.lap);
  expect(file.end).toBe(file.first);
  file.close();
});

test('a place that becomes free in the lap before leaves what stands behind it in that lap', () => {
  const { file, body, appendUpTo, fill, found } = ring();
  appendUpTo(1010);
  const first = { end: file.end, lap: file.lap };
  appendUpTo(1020);
  const second = { end: file.end, lap: file.lap };
  fill();
  file.free(first.end, first.lap);
  expect(file.wrapFor(body)).toBe(true);
  file.free(second.end, second.lap);
  const last = fill();
  expect(file.end).toBeLessThanOrEqual(second.end);
  expect(found(1020)).toEqual(count(1021, last));
  file.close();
});

test('a file that has grown is not cut while a frame in it may be needed', () => {
  const { file, appendUpTo, found } = ring();
  file.grow(16_384);
  appendUpTo(1001);
  file.shrink();
  expect([file.bytes, found(1000)]).toEqual([16_384, [1001]]);
  file.rewind();
  file.shrink();
  expect(file.bytes).toBe(4096);
  file.close();
});

test('a frame that a slow disk still syncs stays in place while the room before it becomes free', async () => {
  const path = join(root, 'slow');
  const file = new NewestFile(path, 'slow', { writes: 0, syncs: 0, bytes: 0 }, 4096, -1);
  const append = (number: number) => file.append(number, frameOf([ops(published(number))]), 'full');
  await append(1);
  const { end, lap } = file;
  const under = append(2);
  file.free(end, lap);
  await under;
  await append(3);
  const piece = file.piece(end, file.end);
  expect(piece === undefined ? [] : framesOf(piece, 'slow').frames.map(({ number }) => number)).toEqual([
    2, 3,
  ]);
  const left = readLeft(path, 'slow', 1);
  expect(left.kind === 'own' && left.frames.map(({ number }) => number)).toEqual([2, 3]);
  file.close();
});

test('where the system does not let us look for the file, it stays in use', async () => {
  await write([whole(1)]);
  // A path that cannot be followed, as that of a folder that may not be entered.
  const away = join(root, 'away');
  renameSync(folder, away);
  symlinkSync(folder, folder);
  await writer.idle();
  expect(await write([whole(2)])).toEqual(NONE);
  await writer.idle();
  rmSync(folder);
  renameSync(away, folder);
  expect((await afterStart(killed())).tables).toEqual([row(1), row(2)]);
});

test('records that a checkpoint could not sync keep their place', async () => {
  await write([whole(1)]);
  const settle = vi.spyOn(Fold.prototype, 'settle').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
  });
  await writer.ask('commit', null);
  await writer.idle();
  settle.mockRestore();
  await write([whole(2)]);
  const left = readLeft(newest(), undefined, undefined);
  expect(left.kind === 'own' && left.frames.map(({ number }) => number)).toEqual([1]);
  expect((await afterStart(killed())).tables).toEqual([row(1), row(2)]);
});
