/** Opening the journal's file: new, closed, left by a killed process, older, newer, damaged, removed, in use, unwritable. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open as openFd, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openFile } from '../../core/adapters/sqlite-journal/open.ts';
import type { OpenHow } from '../../core/adapters/sqlite-journal/open.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import { STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import {
  accepted,
  changed,
  count,
  delivered,
  fill,
  finished,
  pageNumbers,
  published,
  unfinishedNumbers,
} from './journal-records.ts';
import { filledFile, LOOK_EVERY_MS, testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** Changes the file behind the journal's back. */
function sql(text: string): void {
  const db = new (needSqlite().DatabaseSync)(at.file);
  db.exec(text);
  db.close();
}

const how = (more: Partial<OpenHow> = {}): OpenHow => ({
  folder: at.folder,
  sync: 'normal',
  ballastBytes: 0,
  now: () => Date.parse('2026-03-01T10:00:00.000Z'),
  ...more,
});

describe('a file', () => {
  test('is created for its owner alone, and has the version of SQLite that wrote it', async () => {
    const { report } = await at.open();
    expect(report).toMatchObject({ file: at.file, isNew: true, wasUnclean: false, notes: [] });
    expect(report.sqlite).toMatch(/^3\./);
    // Windows has no such bits; there the folder's own rights count.
    const others = process.platform === 'win32' ? 0 : (await stat(at.file)).mode & 0o077;
    expect(others).toBe(0);
  });

  test('that was closed leaves nothing beside itself and needs no check', async () => {
    const journal = await at.open();
    await fill(journal, 1, 3);
    await journal.close();
    expect((await readdir(at.folder)).toSorted()).toEqual(['lock.db', 'sidelight.db']);
    const again = await at.open();
    expect(again.report).toMatchObject({ isNew: false, wasUnclean: false });
    expect((await pageNumbers(again)).numbers).toEqual([3, 2, 1]);
  });

  test('that a killed process left is checked, and has everything that was acknowledged', async () => {
    const { db, tables } = openFile(how());
    tables.write([[['kept', 'a', '1']]]);
    // Neither closed nor marked: what the system does when a process dies is the same.
    db.close();
    const again = await at.open();
    expect(again.report).toMatchObject({ wasUnclean: true, notes: [] });
    expect(await again.kept('a')).toBe(1);
  });

  test('a file of a newer version is refused with the reason and left unchanged', async () => {
    const journal = await at.open();
    await journal.close();
    sql('PRAGMA user_version = 99');
    const before = await readFile(at.file);
    await expect(at.open()).rejects.toMatchObject({ code: 'broken', message: /newer version.*--data-dir/ });
    expect(await readFile(at.file)).toEqual(before);
    sql(`PRAGMA user_version = ${STEPS.length}`);
    await at.open();
  });

  test('a file of an older version is migrated, and a copy kept', async () => {
    const first = openFile(how());
    first.tables.write([oneMessage()]);
    first.db.close();
    const steps = [...STEPS, ...[(db: { exec(sql: string): void }) => db.exec('CREATE TABLE more (a)')]];
    const { db, report } = openFile(how({ steps }));
    expect(db.prepare('SELECT count(*) AS n FROM more').get()).toMatchObject({ n: 0 });
    expect(db.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: STEPS.length + 1 });
    expect(db.prepare('SELECT count(*) AS n FROM message').get()).toMatchObject({ n: 1 });
    db.close();
    expect(report.notes).toHaveLength(1);
    expect(existsSync(`${at.file}.version-${STEPS.length}`)).toBe(true);
  });

  test('a step that fails changes nothing', async () => {
    openFile(how()).db.close();
    const broken = [
      ...STEPS,
      (db: { exec(sql: string): void }) => db.exec('CREATE TABLE more (a); nonsense'),
    ];
    expect(() => openFile(how({ steps: broken }))).toThrow(/nonsense/);
    const { db } = openFile(how());
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'more'").get()).toMatchObject({
      n: 0,
    });
    db.close();
  });
});

describe('damage', () => {
  const MESSAGES = 600;

  const filled = filledFile(async (journal) => {
    const wide = { data: 'x'.repeat(2000) };
    await journal.append(count(1, MESSAGES).flatMap((number) => finished(number, wide)));
    await journal.append([
      ...[accepted(MESSAGES + 1, wide), published(MESSAGES + 1)],
      delivered(MESSAGES + 1, 'retrying', {
        delivery: { attemptCount: 1 },
        attempt: {},
        transition: { sequence: 7 },
      }),
      changed(3, { pinned: true, note: 'kept' }),
      { kind: 'kept', key: 'holds', value: [1] },
      { kind: 'sequence', sequence: 40 },
    ]);
  });

  /** As if the process had been killed: only then is the file looked through. */
  function markUnclean(): void {
    sql('UPDATE totals SET clean = 0');
  }

  /** Overwrites pages that hold a text. */
  async function destroyPagesWith(text: string, most: number): Promise<number> {
    const page = 4096;
    const content = await readFile(at.file);
    const file = await openFd(at.file, 'r+');
    let destroyed = 0;
    for (let place = page; place < content.length && destroyed < most; place += page) {
      if (!content.subarray(place, place + page).includes(text)) continue;
      await file.write(Buffer.alloc(page, 0xa5), 0, page, place);
      destroyed++;
    }
    await file.close();
    return destroyed;
  }

  test('a destroyed page costs its own messages, the rest is saved, the file is set aside, and a note says so', async () => {
    await filled(at);
    markUnclean();
    expect(await destroyPagesWith('xxxxxxxx', 1)).toBe(1);
    const journal = await at.open();
    const { salvage, notes } = journal.report;
    expect(salvage?.messages).toBeGreaterThan(MESSAGES - 20);
    expect(salvage?.messages).toBeLessThan(MESSAGES + 1);
    expect(notes).toHaveLength(1);
    expect(existsSync(salvage?.setAside ?? '')).toBe(true);
    expect(salvage?.setAside).toContain('sidelight.db.broken-');
    expect((await journal.stats()).messages).toBe(salvage?.messages);
    expect(await unfinishedNumbers(journal)).toEqual([MESSAGES + 1]);
    const open = await journal.get(`msg_${MESSAGES + 1}`);
    expect(open?.deliveries[0]).toMatchObject({
      attempts: [{ attemptId: 'att_1' }],
      transitions: [{ sequence: 7 }],
    });
    expect((await journal.get('msg_3'))?.row).toMatchObject({ pinned: true, note: 'kept' });
    expect(await journal.kept('holds')).toEqual([1]);
    expect(await journal.lastSequence()).toBe(40);
    await journal.append(finished(MESSAGES + 2));
    await journal.close();
    expect((await at.open()).report).toMatchObject({ wasUnclean: false, notes: [] });
  });

  test.each([
    ['no database at all', () => writeFile(at.file, 'this is not a database, '.repeat(1000))],
    ['a header of zeros', async () => overwrite(0, 100)],
    ['half of it', async () => truncate(0.5)],
    ['nothing but its header', async () => truncate(0)],
    ['a file of no bytes', () => writeFile(at.file, '')],
    ['a folder in its place', () => rm(at.file).then(() => mkdir(join(at.file, 'x'), { recursive: true }))],
  ])('%s does not keep the product from starting', async (_, damage) => {
    await filled(at);
    markUnclean();
    await damage();
    const journal = await at.open();
    const { salvage, notes } = journal.report;
    expect(salvage).toBeDefined();
    expect((salvage?.messages ?? 0) + (salvage?.lost ?? 0)).toBeLessThanOrEqual(MESSAGES + 1);
    expect(salvage?.partly).toBeLessThanOrEqual(salvage?.messages ?? 0);
    expect(notes).toEqual([expect.stringContaining('is kept as sidelight.db.broken-')]);
    await journal.append([accepted(10_000)]);
    expect((await pageNumbers(journal, { limit: 1 })).numbers).toEqual([10_000]);
  });

  test('a message whose bytes changed on the disk is not delivered, and a note says so', async () => {
    const journal = await at.open();
    await journal.append([accepted(1), accepted(2)]);
    await journal.close();
    sql(`UPDATE content SET wire = replace(wire, '1.0', '1.1') WHERE number = 1`);
    const again = await at.open();
    const told: string[] = [];
    again.onTrouble((text) => told.push(text));
    expect(await unfinishedNumbers(again)).toEqual([2]);
    expect(told).toEqual([expect.stringContaining('msg_1')]);
    expect(await again.get('msg_1')).toBeDefined();
  });

  async function overwrite(from: number, bytes: number): Promise<void> {
    const file = await openFd(at.file, 'r+');
    await file.write(Buffer.alloc(bytes), 0, bytes, from);
    await file.close();
  }

  async function truncate(share: number): Promise<void> {
    const file = await openFd(at.file, 'r+');
    const { size } = await file.stat();
    await file.truncate(Math.max(4096, Math.floor((size * share) / 4096) * 4096 + 100));
    await file.close();
  }
});

test.each(['sidelight.db-newest', 'sidelight.db-newest-kept'])(
  'a folder in the place of %s keeps no killed history from being opened',
  async (name) => {
    const killed = await at.open();
    await killed.append(finished(1));
    expect((await pageNumbers(killed)).numbers).toEqual([1]);
    await killed.append(finished(2));
    const copy = await testFolder();
    for (const file of await readdir(at.folder))
      if (file.startsWith('sidelight.db') && file !== name && !file.endsWith('-shm'))
        await copyFile(join(at.folder, file), join(copy.folder, file));
    await mkdir(join(copy.folder, name, 'x'), { recursive: true });
    const journal = await copy.open();
    const numbers = name === 'sidelight.db-newest' ? [1] : [2, 1];
    expect((await pageNumbers(journal)).numbers).toEqual(numbers);
    expect(journal.report.notes).toEqual([
      expect.stringMatching(
        new RegExp(`^${name} was not a file; what was there is kept as ${name}.replaced-.+`),
      ),
    ]);
    await copy.remove();
  },
);

describe('the folder', () => {
  test('belongs to one journal at a time, and the error of a second one names the holder', async () => {
    const journal = await at.open();
    await expect(at.open()).rejects.toMatchObject({ name: 'FolderInUse', pid: process.pid });
    await expect(at.open()).rejects.toThrow(`${at.folder} is in use by process ${process.pid}`);
    await journal.append([accepted(1)]);
    await journal.close();
    await at.open();
  });

  test('belongs to one journal also if the name of its holder cannot be written', async () => {
    // As a full disk, which has no room for it.
    await mkdir(join(at.folder, 'holder.json'));
    const journal = await at.open();
    await expect(at.open()).rejects.toMatchObject({ name: 'FolderInUse', pid: undefined });
    await journal.close();
    await at.open();
  });

  test('that is a file or missing is an error that says what to do', async () => {
    const missing = join(at.folder, 'missing');
    const journal = await at.open({ folder: missing });
    expect(journal.report.refuses).toMatchObject({ code: 'readonly', message: /--data-dir.*--ephemeral/ });
    await expect(journal.append([accepted(1)])).rejects.toMatchObject({
      name: 'JournalError',
      code: 'readonly',
    });
    expect(await pageNumbers(journal)).toEqual({ numbers: [], nextCursor: null, total: 0 });
    expect(await journal.prune({ maxMessages: 0, maxBytes: 0, olderThanMs: 0 }, 0, 10)).toMatchObject({
      removed: 0,
      beforeNumber: 0,
    });
    expect(existsSync(missing)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('removed in use: all of it is written again', async () => {
    const journal = await at.open({ lookEveryMs: LOOK_EVERY_MS });
    const told: string[] = [];
    journal.onTrouble((text) => told.push(text));
    await fill(journal, 1, 5);
    await rm(at.folder, { recursive: true });
    await expect.poll(() => told, { timeout: 15_000 }).toEqual([expect.stringContaining('was removed')]);
    await journal.append([accepted(6)]);
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    await expect(at.open()).rejects.toMatchObject({ name: 'FolderInUse' });
    await journal.close();
    expect((await pageNumbers(await at.open())).numbers).toEqual([6, 5, 4, 3, 2, 1]);
  });
});

/** A message as the writing side takes it. */
const oneMessage = (): Op[] => opsOf(finished(1), new RecentWires(0));
