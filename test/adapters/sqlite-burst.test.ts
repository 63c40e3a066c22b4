/** A burst of writes that nobody reads waits in the file of the newest records, which grows; nothing that counts is lost by that. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Fold } from '../../core/adapters/sqlite-journal/fold.ts';
import { NewestFile } from '../../core/adapters/sqlite-journal/newest-file.ts';
import { paceAfter, stepAfter } from '../../core/adapters/sqlite-journal/pace.ts';
import type { SyncLevel } from '../../core/adapters/sqlite-journal/requests.ts';
import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { count, removed } from './journal-records.ts';
import { NewestStand, NONE, ops, row, tablesOf, whole } from './newest-stand.ts';

const MB = 1024 * 1024;
const freeAsMade = NewestFile.prototype.free;
const NO_LIMIT = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };
/** Longer than the time between two looks at what waits. */
const LOOK_MS = 250;
const READER_MS = 4000;

let stand: NewestStand;
let writer: Appender;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stand = new NewestStand();
  ({ writer } = stand.open());
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await stand.remove();
});

const newest = (): string => join(stand.folder, 'sidelight.db-newest');

/** Writes messages of about 20 KB, each a group of its own. */
async function burst(from: number, to: number): Promise<void> {
  for (const number of count(from, to))
    expect(await writer.write([whole(number, { data: 'x'.repeat(20_000) })], false)).toEqual(NONE);
}

/** Numbers of the messages that a reader of the tables would find now. */
const shown = (): unknown[] => tablesOf(stand.killed());
const rows = (from: number, to: number): unknown[] => count(from, to).map((number) => row(number));

describe('how long groups wait', () => {
  test.each([
    ['right after a read', 0, 50],
    ['shortly after one', 2900, 50],
    ['when nobody has read for a while', 3100, 200],
    ['when nobody has ever read', Infinity, 200],
  ])('%s they are looked at again soon or later', (_, sinceReadMs, lookMs) => {
    expect(paceAfter(sinceReadMs)).toMatchObject({ lookMs });
  });

  test.each([
    ['a reader does not wait for the end of a burst', 0, 10 * MB, 0, 'tell'],
    ['a burst that nobody reads goes on waiting', Infinity, 10 * MB, 4900, 'wait'],
    ['a burst that goes on for long reaches the disk', Infinity, 10 * MB, 5000, 'settle'],
    ['a few messages do not wait for more', Infinity, 10_000, 0, 'tell'],
    ['nothing new is the end of a burst', Infinity, 0, 4900, 'tell'],
    ['a few messages that go on coming reach the disk too', Infinity, 10_000, 5000, 'settle'],
    ['while somebody reads as well', 0, 10_000, 5000, 'settle'],
  ] as const)('%s', (_, sinceReadMs, grownBytes, waitedMs, step) => {
    expect(stepAfter(paceAfter(sinceReadMs), grownBytes, waitedMs)).toBe(step);
  });
});

test.each<SyncLevel>(['full', 'normal'])(
  'with sync %s a burst that nobody reads stays out of the tables until it is over, and a kill loses none of it',
  async (level) => {
    await writer.setSync(level);
    await burst(1, 100);
    vi.advanceTimersByTime(LOOK_MS);
    await burst(101, 200);
    vi.advanceTimersByTime(LOOK_MS);
    await burst(201, 300);
    expect(shown()).toEqual([]);
    expect(statSync(newest()).size).toBeGreaterThan(5 * MB);
    expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 300));
    vi.advanceTimersByTime(2 * LOOK_MS);
    // A commit without a report: what the tables show now they were told of before.
    await writer.prune(NO_LIMIT, 1);
    expect(shown()).toEqual(rows(1, 300));
  },
);

test('a read finds all of a burst, and for a while what follows reaches the tables soon', async () => {
  await burst(1, 120);
  await writer.ask('commit', null);
  expect(shown()).toEqual(rows(1, 120));
  await burst(121, 160);
  vi.advanceTimersByTime(60);
  await writer.prune(NO_LIMIT, 1);
  expect(shown()).toEqual(rows(1, 160));
  vi.advanceTimersByTime(READER_MS);
  await burst(161, 200);
  vi.advanceTimersByTime(60);
  await writer.prune(NO_LIMIT, 1);
  expect(shown()).toEqual(rows(1, 160));
});

test('a burst without an end goes into the tables when the file has grown to its limit, and its place is used again', async () => {
  for (let number = 1; number < 6000; number += 100) {
    await burst(number, number + 99);
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(shown().length).toBeGreaterThan(1000);
  expect(statSync(newest()).size).toBeLessThanOrEqual(64 * MB);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 6000));
});

test('a burst waits until four fifths of the largest file are used, and then gives its place back part by part', async () => {
  const freed: number[] = [];
  const sizes: Promise<{ readonly messages: number }>[] = [];
  const free = vi.spyOn(NewestFile.prototype, 'free');
  free.mockImplementation(function (this: NewestFile, end, lap) {
    freed.push(end);
    freeAsMade.call(this, end, lap);
    sizes.push(writer.size());
  });
  await burst(1, 3200);
  expect(freed).toEqual([]);
  expect(statSync(newest()).size).toBeGreaterThan(63 * MB);
  await burst(3201, 3600);
  expect(freed.length).toBeGreaterThan(2);
  const parts = freed.map((end, at) => end - (freed[at - 1] ?? 0));
  expect(Math.max(...parts)).toBeLessThan(17 * MB);
  for (const { messages } of await Promise.all(sizes)) expect(messages).toBeLessThanOrEqual(3600);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 3600));
});

test('a burst that lasts is in the database after five seconds, and the next groups wait again', async () => {
  for (let number = 1; number <= 260; number += 10) {
    await burst(number, number + 9);
    vi.advanceTimersByTime(200);
  }
  expect(shown()).toEqual(rows(1, 250));
  await burst(261, 270);
  vi.advanceTimersByTime(200);
  await writer.prune(NO_LIMIT, 1);
  expect(shown()).toEqual(rows(1, 250));
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 270));
});

/** Writes messages one by one, with a look at what waits after each of them. */
async function trickle(from: number, to: number): Promise<void> {
  for (const number of count(from, to)) {
    await burst(number, number);
    vi.advanceTimersByTime(LOOK_MS);
  }
}

test('a few messages that come without a pause are in the database after five seconds: with normal nothing else syncs them', async () => {
  await trickle(1, 30);
  expect(shown().length).toBeGreaterThan(15);
  await trickle(31, 60);
  expect(shown().length).toBeGreaterThan(40);
});

test('a look that finds the tables still taking in what came before is followed by another look', async () => {
  await burst(1, 2);
  const resting = writer.idle();
  // Nothing has its answer before this turn is over: the tables are being filled all the time.
  for (const number of count(3, 42)) {
    expect(writer.writeNow(whole(number, { data: 'x'.repeat(20_000) }), number)).toBe(true);
    vi.advanceTimersByTime(LOOK_MS);
  }
  await resting;
  await trickle(43, 72);
  expect(shown().length).toBeGreaterThan(60);
});

test('with little room on the disk the file stays small, and the tables follow', async () => {
  vi.spyOn(NewestFile, 'bytesIn').mockReturnValue(MB);
  await burst(1, 300);
  expect(statSync(newest()).size).toBeLessThanOrEqual(2 * MB);
  expect(shown().length).toBeGreaterThan(200);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 300));
});

test('with sync full a disk that refuses to prepare more of the file keeps it as small as it is', async () => {
  await writer.setSync('full');
  const grow = vi.spyOn(NewestFile.prototype, 'grow');
  await burst(1, 40);
  const made = statSync(newest()).size;
  vi.spyOn(NewestFile.prototype, 'fd', 'get').mockReturnValue(-1);
  await burst(41, 300);
  expect(grow).not.toHaveBeenCalled();
  expect(statSync(newest()).size).toBe(made);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 300));
});

test('the file gives back what it has grown by when it was not used for a while', async () => {
  await burst(1, 300);
  expect(statSync(newest()).size).toBeGreaterThan(5 * MB);
  await writer.idle();
  await burst(301, 310);
  await writer.idle();
  vi.advanceTimersByTime(601_000);
  expect(statSync(newest()).size).toBe(2 * MB);
  await burst(311, 500);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 500));
});

test('the file gives back what it has grown by also while old messages are looked for each second', async () => {
  await burst(1, 300);
  for (let second = 0; second < 660; second++) {
    await writer.prune(NO_LIMIT, 1);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(statSync(newest()).size).toBe(2 * MB);
  await burst(301, 500);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 500));
});

test('the file gives back what it has grown by also while somebody reads all the time', async () => {
  await burst(1, 300);
  for (let half = 0; half < 2 * 660; half++) {
    await writer.ask('commit', null);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(statSync(newest()).size).toBe(2 * MB);
  await burst(301, 500);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 500));
});

test('the file keeps what it has grown by while it is used', async () => {
  await burst(1, 300);
  await writer.idle();
  vi.advanceTimersByTime(599_000);
  await burst(301, 450);
  await vi.advanceTimersByTimeAsync(2000);
  expect(statSync(newest()).size).toBeGreaterThan(5 * MB);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 450));
});

test('a file that grew keeps groups that the tables could not take in, however long nothing is written', async () => {
  await burst(1, 300);
  const settle = vi.spyOn(Fold.prototype, 'settle').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
  });
  await vi.advanceTimersByTimeAsync(601_000);
  const copy = stand.killed();
  settle.mockRestore();
  expect((await stand.afterStart(copy)).tables).toEqual(rows(1, 300));
});

test('a file that grew and is removed during a burst is noticed at the next look, and nothing is lost', async () => {
  await burst(1, 200);
  rmSync(newest());
  vi.advanceTimersByTime(LOOK_MS);
  await writer.idle();
  expect(shown()).toEqual(rows(1, 200));
  await burst(201, 220);
  expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 220));
});

test('a byte that changed in a large file costs its own group alone', async () => {
  await burst(1, 300);
  const hurt = stand.killed();
  const file = join(hurt, 'sidelight.db-newest');
  const bytes = readFileSync(file);
  bytes.fill(0xee, bytes.indexOf('msg_150"'), bytes.indexOf('msg_150"') + 3);
  writeFileSync(file, bytes);
  const { tables, report } = await stand.afterStart(hurt);
  expect(tables).toEqual([...rows(1, 149), ...rows(151, 300)]);
  expect(report.notes).toEqual([expect.stringMatching(/could not read 1 of the newest groups/)]);
});

test('what waits counts for the size and for the removal of old messages, without reaching the tables', async () => {
  await burst(1, 100);
  await writer.ask('commit', null);
  vi.advanceTimersByTime(READER_MS);
  await burst(101, 130);
  const { messages, bytes } = await writer.size();
  expect(messages).toBe(130);
  expect(bytes).toBeGreaterThan(130 * 20_000);
  expect(await writer.prune({ ...NO_LIMIT, maxMessages: 60 }, 1000)).toMatchObject({
    removed: 70,
    beforeNumber: 71,
  });
  expect(shown()).toEqual(rows(71, 100));
  expect(await writer.prune({ ...NO_LIMIT, maxMessages: 10 }, 1000)).toMatchObject({
    removed: 50,
    beforeNumber: 121,
  });
  expect(shown()).toEqual(rows(121, 130));
  expect((await writer.size()).messages).toBe(10);
});

test('messages that a person removed in a burst count no more: no older ones go in their place', async () => {
  await burst(1, 100);
  await writer.ask('commit', null);
  vi.advanceTimersByTime(READER_MS);
  expect(await writer.write([ops(removed(...count(51, 100)))], false)).toEqual(NONE);
  await burst(101, 150);
  expect((await writer.size()).messages).toBe(100);
  expect(await writer.write([ops(removed(...count(46, 50)))], false)).toEqual(NONE);
  await burst(151, 155);
  expect(await writer.prune({ ...NO_LIMIT, maxMessages: 100 }, 1000)).toMatchObject({ removed: 0 });
  expect((await stand.afterStart(stand.killed())).tables).toEqual([...rows(1, 45), ...rows(101, 155)]);
});
