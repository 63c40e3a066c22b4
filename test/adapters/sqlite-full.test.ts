/** A full disk: new messages are refused, nothing acknowledged is lost, what became of the others is still written, and it recovers. */
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { NewestFile } from '../../core/adapters/sqlite-journal/newest-file.ts';
import { migrate, STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { JournalError } from '../../core/ports/journal.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { count, delivered, finished, NOW_MS, pageNumbers } from './journal-records.ts';
import { LOOK_EVERY_MS, testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';
import { mountTmpfs } from '../support/small-disk.ts';

const WIDE = { data: 'x'.repeat(20_000) };
const KEEP_FEW = { maxMessages: 5, maxBytes: Infinity, olderThanMs: 0 };

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** Appends messages one by one until the journal says that it is full; gives the numbers that were taken. */
async function untilFull(journal: Journal, from: number): Promise<number[]> {
  for (let number = from; ; number++) {
    try {
      await journal.append(finished(number, WIDE));
    } catch (error) {
      if (!(error instanceof JournalError) || error.code !== 'full') throw error;
      return count(from, number - 1);
    }
  }
}

test('a full database refuses a group as a whole, and pruning makes room for it and for records that had none', async () => {
  // With all the room of this disk, thousands of messages would wait beside the tables.
  vi.spyOn(NewestFile, 'bytesIn').mockReturnValue(8 * 1024 * 1024);
  const journal = await at.open({ maxPages: 300 });
  const taken = await untilFull(journal, 1);
  expect(taken.length).toBeGreaterThan(10);
  const { numbers: shown } = await pageNumbers(journal, { order: 'oldest' });
  expect(shown.length).toBeGreaterThan(10);
  expect(taken.slice(0, shown.length)).toEqual(shown);
  expect(await journal.get(`msg_${taken.length + 1}`)).toBeUndefined();
  await journal.prune(KEEP_FEW, NOW_MS, 1000);
  // Each time that there is room, what comes next finds it: nothing that was taken is passed over.
  for (let last = shown.length; last < taken.length;) {
    const { numbers } = await pageNumbers(journal, { order: 'oldest' });
    expect(numbers).toEqual(count(last - 4, numbers.at(-1) ?? 0));
    expect(numbers.length).toBeGreaterThan(5);
    last = numbers.at(-1) ?? 0;
    await journal.prune(KEEP_FEW, NOW_MS, 1000);
  }
  await journal.append(finished(5000, WIDE));
  await journal.close();
  const again = await at.open();
  expect((await pageNumbers(again)).numbers).toEqual([5000, ...taken.slice(-5).toReversed()]);
});

test('groups that share a commit are refused together, and the next ones are judged by themselves', async () => {
  const journal = await at.open({ maxPages: 300 });
  const wide = { data: 'x'.repeat(400_000) };
  const outcomes = await Promise.allSettled(
    count(1, 8).map((number) => journal.append(finished(number, wide))),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  const { numbers } = await pageNumbers(journal, { order: 'oldest' });
  expect(numbers).toEqual(count(1, 8).filter((number) => outcomes[number - 1]?.status === 'fulfilled'));
});

const tmpfs = mountTmpfs(12);
afterAll(() => tmpfs?.unmount());

// Where nothing can be mounted, these are skipped and counted.
describe.skipIf(tmpfs === undefined)('on a disk of 12 MB', () => {
  const folder = tmpfs?.folder ?? '';

  afterEach(async () => {
    await at.remove();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });

  test('changes of stored messages are still written, and pruning works', async () => {
    const journal = await at.open({ folder, ballastBytes: 2_000_000 });
    const taken = await untilFull(journal, 1);
    await expect(journal.append(finished(5000))).rejects.toMatchObject({ code: 'full' });
    for (const number of taken.slice(0, 50))
      await journal.append([delivered(number, 'processed', { attempt: {}, transition: {} })]);
    expect((await journal.get('msg_1'))?.deliveries[0]?.attempts).toHaveLength(1);
    await journal.prune(KEEP_FEW, NOW_MS, 1000);
    expect((await journal.stats()).messages).toBe(5);
    await journal.append(finished(6000, WIDE));
    await journal.close();
    const again = await at.open({ folder, ballastBytes: 2_000_000 });
    expect((await pageNumbers(again)).numbers).toEqual([6000, ...taken.slice(-5).toReversed()]);
  });

  test('accepts messages again when another program frees room', { timeout: 30_000 }, async () => {
    const other = join(folder, 'other');
    await writeFile(other, Buffer.alloc(6_000_000));
    const journal = await at.open({ folder, ballastBytes: 1_000_000, lookEveryMs: LOOK_EVERY_MS });
    const taken = await untilFull(journal, 1);
    expect(journal.trouble).toMatch(/the disk is full, .*; messages are accepted again when 24 MiB are free/);
    await journal.append([delivered(1, 'processed', { attempt: {} })]);
    expect(journal.trouble).toContain('the disk is full');
    rmSync(other);
    // The room is noticed without a publish.
    await expect.poll(() => journal.trouble, { timeout: 10_000, interval: 100 }).toBeUndefined();
    const next = taken.length + 1;
    await expect
      .poll(() => journal.append(finished(next)).then(() => 'taken'), { timeout: 10_000, interval: 300 })
      .toBe('taken');
    expect((await journal.get(`msg_${next}`))?.row.number).toBe(next);
  });

  /** Takes what room there is. */
  function fill(): void {
    const filler = openSync(join(folder, 'filler'), 'w');
    const block = Buffer.alloc(4096);
    let code: unknown;
    while (code === undefined) {
      try {
        writeSync(filler, block);
      } catch (error) {
        ({ code } = error as NodeJS.ErrnoException);
      }
    }
    closeSync(filler);
    expect(code).toBe('ENOSPC');
  }

  /** A closed journal with one message. */
  async function closed(): Promise<void> {
    const before = await at.open({ folder, ballastBytes: 1_000_000 });
    await before.append(finished(1));
    await before.close();
  }

  async function takenIntoUse(journal: Journal): Promise<void> {
    rmSync(join(folder, 'filler'));
    await expect.poll(() => journal.trouble, { timeout: 10_000, interval: 100 }).toBeUndefined();
    await journal.append(finished(2, WIDE));
    expect(readdirSync(folder).filter((name) => name.includes('broken'))).toEqual([]);
  }

  test.each([
    ['a new one', 0],
    ['one that was closed', 1],
  ])('%s is opened without room, and taken into use when there is some', async (_, messages) => {
    if (messages > 0) await closed();
    rmSync(join(folder, 'ballast'), { force: true });
    fill();
    const journal = await at.open({ folder, ballastBytes: 1_000_000, lookEveryMs: LOOK_EVERY_MS });
    expect((await pageNumbers(journal)).total).toBe(messages);
    expect(journal.trouble).toContain('the disk is full');
    await expect(journal.append(finished(2, WIDE))).rejects.toMatchObject({ code: 'full' });
    await takenIntoUse(journal);
    expect((await pageNumbers(journal)).total).toBe(messages + 1);
  });

  test('the history that a killed process left is shown without room, and is whole once there is some', async () => {
    const killed = await at.open();
    for (const number of count(1, 20)) await killed.append(finished(number, WIDE));
    expect((await pageNumbers(killed)).total).toBe(20);
    // All of the messages are in the log alone, which the file has no room to take in.
    for (const ending of ['', '-wal']) copyFileSync(at.file + ending, join(folder, `sidelight.db${ending}`));
    fill();
    const journal = await at.open({ folder });
    const refused = {
      code: 'full',
      message: expect.stringMatching(/; make room there, then start Sidelight again$/),
    };
    expect(journal.report.refuses).toMatchObject(refused);
    expect((await pageNumbers(journal, { order: 'oldest' })).numbers).toEqual(count(1, 20));
    await expect(journal.append(finished(21))).rejects.toMatchObject(refused);
    await journal.close();
    rmSync(join(folder, 'filler'));
    const again = await at.open({ folder });
    expect((await pageNumbers(again, { order: 'oldest' })).numbers).toEqual(count(1, 20));
    await again.append(finished(21));
  });

  test('the history of an older version that a killed process left is shown without room', async () => {
    const killed = await at.open();
    for (const number of count(1, 20)) await killed.append(finished(number, WIDE));
    expect((await pageNumbers(killed)).total).toBe(20);
    const older = new (needSqlite().DatabaseSync)(at.file);
    older.exec(`PRAGMA user_version = ${STEPS.length - 1}`);
    older.close();
    for (const ending of ['', '-wal']) copyFileSync(at.file + ending, join(folder, `sidelight.db${ending}`));
    fill();
    const journal = await at.open({ folder });
    expect(journal.report.refuses).toMatchObject({ code: 'full' });
    expect((await pageNumbers(journal, { order: 'oldest' })).numbers).toEqual(count(1, 20));
  });

  test('a closed journal is opened in the room of its ballast', async () => {
    await closed();
    fill();
    const journal = await at.open({ folder, ballastBytes: 1_000_000 });
    expect(journal.report.refuses).toBeUndefined();
    await journal.append([delivered(1, 'processed', { attempt: {}, transition: {} })]);
    await takenIntoUse(journal);
    expect((await pageNumbers(journal)).total).toBe(2);
  });
});

describe.skipIf(tmpfs === undefined)('on a disk that cannot be written', () => {
  const folder = tmpfs?.folder ?? '';

  afterEach(() => void spawnSync('mount', ['-o', 'remount,rw', folder]));

  test('the history is shown, publishes are refused with the way out', async () => {
    const journal = await at.open({ folder });
    await journal.append(finished(1, { data: 'seen' }));
    await journal.close();
    expect(spawnSync('mount', ['-o', 'remount,ro', folder]).status).toBe(0);
    const again = await at.open({ folder });
    expect(again.report.refuses).toMatchObject({ code: 'readonly' });
    const refused = { code: 'readonly', message: expect.stringMatching(/--data-dir.*--ephemeral/) };
    await expect(again.append(finished(2))).rejects.toMatchObject(refused);
    expect((await pageNumbers(again, { filter: 'seen' })).numbers).toEqual([1]);
    expect(await again.size?.()).toMatchObject({ messages: 1 });
    await again.close();
  });

  test('a journal of an older format is opened in it too, from a copy that is removed afterwards', async () => {
    const older = join(folder, 'older');
    await mkdir(older);
    const db = new (needSqlite().DatabaseSync)(join(older, 'sidelight.db'));
    migrate(db, older, () => undefined, STEPS.slice(0, 2));
    db.exec(`INSERT INTO message (number, id, at, pubsub, topic, app, origin, size, raw, pinned, unread, waiting,
        published, standing, agrees, bytes) VALUES (1, 'msg_1', 1, 'pubsub', 'orders', 'shop', 'http', 9, 0, 0, 0, 0, 1, 0, 3, 9);
      INSERT INTO content VALUES (1, 0, '{"messageId":"msg_1","number":1,"deliveries":[]}', '', NULL, NULL, '{}');
      UPDATE totals SET messages = 1, last_number = 1`);
    db.close();
    expect(spawnSync('mount', ['-o', 'remount,ro', folder]).status).toBe(0);
    const journal = await at.open({ folder: older });
    expect(journal.report.refuses).toMatchObject({ code: 'readonly' });
    expect((await pageNumbers(journal)).numbers).toEqual([1]);
    expect((await journal.get('msg_1'))?.message.wire).toBe('{}');
    await journal.close();
  });
});
