/** The log beside the database was cut, and a file was removed at once: the history goes on as after one of the two. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { count, finished, pageNumbers } from './journal-records.ts';
import { committed, cut, MendingStand, reading, refuseOnce } from './log-cutting.ts';
import { NONE, row, tablesOf, whole } from './newest-stand.ts';
import { historyInUse } from './sqlite-folder.ts';
import type { InUse } from './sqlite-folder.ts';
import { wrongIn } from './tables-check.ts';

const PATIENT = { timeout: 15_000 };
const rows = (from: number, to: number): unknown[] => count(from, to).map((number) => row(number));

// Windows does not let a file that is open be removed or cut.
describe.skipIf(process.platform === 'win32')('a log that was cut', () => {
  let stand: MendingStand;
  beforeEach(() => {
    stand = new MendingStand();
  });
  afterEach(() => stand.remove());
  const path = (ending: string): string => join(stand.folder, `sidelight.db${ending}`);
  const remove = (endings: readonly string[]): void => {
    for (const ending of endings) rmSync(path(ending));
  };

  test.each([
    [['-wal'], /log beside .* was cut .* Nothing is lost\./],
    [['-shm'], /log beside .* was cut .* Nothing is lost\./],
    [['-wal', '-shm'], /log beside .* was cut .* Nothing is lost\./],
    [['-newest'], /log beside .* was cut .* Nothing is lost\./],
    [[''], /file of the history was removed .* has written it again as .*\.db\.$/],
    [['', '-wal'], /file of the history was removed .* has written it again as .*\.db\.$/],
    [['', '-wal', '-shm'], /file of the history was removed .* has written it again as .*\.db\.$/],
    [['', '-wal', '-shm', '-newest'], /file of the history was removed .* has written it again as .*\.db\.$/],
  ])('loses nothing where sidelight.db%j is removed too', async (endings, said) => {
    const { writer, rescue } = await stand.inUse(3);
    await writer.idle();
    await committed(writer, 4, 6);
    // The thread that writes has not heard of this one.
    await writer.write([whole(7)], false);
    truncateSync(path('-wal'), 0);
    remove(endings);
    expect(await rescue.run()).toBe(true);
    expect(await rescue.reopen()).toBe(true);
    rescue.releaseLock();
    expect(stand.reported).toEqual([expect.stringMatching(said)]);
    expect(tablesOf(stand.folder)).toEqual(rows(1, 7));
    expect(await writer.write([whole(8)], false)).toEqual(NONE);
    expect((await stand.afterStart(stand.killed())).tables).toEqual(rows(1, 8));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test.each([
    ['in its place', ['-wal'], 'reopen'],
    ['removed too', [''], 'run'],
  ] as const)('gives what is left of it to a database that is %s', async (_, endings, mend) => {
    const { writer, rescue } = await stand.inUse(1);
    // Group 2 goes into the log without the newest records.
    expect(await writer.write([whole(2)], true)).toEqual(NONE);
    await committed(writer, 3, 3);
    cut(stand.folder, (bytes) => bytes - 1);
    remove(endings);
    expect(await rescue[mend]()).toBe(true);
    rescue.releaseLock();
    expect(tablesOf(stand.folder)).toEqual(rows(1, 3));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test.each([
    ['in its place', [], 'reopen'],
    ['removed too', [''], 'run'],
  ] as const)(
    'holds no group alone that the writing thread wrote by itself, where the database is %s',
    async (_, endings, mend) => {
      const { writer, rescue } = await stand.inUse(1);
      await writer.idle();
      // Groups go into the database without the newest records also while a file is mended.
      expect(await writer.write([whole(2)], true)).toEqual(NONE);
      expect(await writer.write([whole(3)], true)).toEqual(NONE);
      cut(stand.folder, () => 40);
      remove(endings);
      expect(await rescue[mend]()).toBe(true);
      rescue.releaseLock();
      expect(tablesOf(stand.folder)).toEqual(rows(1, 3));
      expect(stand.reported.filter((text) => text.endsWith(' lost.'))).toEqual([]);
      expect(wrongIn(stand.folder)).toEqual([]);
    },
  );

  test('says how many groups nothing has any more where a read kept them in the log and the database is removed too', async () => {
    const { writer, rescue } = await stand.inUse(1);
    await writer.idle();
    const other = reading(stand.folder);
    expect(await writer.write([whole(2)], true)).toEqual(NONE);
    expect(await writer.write([whole(3)], true)).toEqual(NONE);
    other.close();
    cut(stand.folder, () => 40);
    remove(['']);
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    const left = tablesOf(stand.folder).length;
    expect(left).toBeLessThan(3);
    expect(stand.reported).toEqual([
      expect.stringMatching(/written it again as .*\. \d groups? of records (is|are) lost\.$/),
    ]);
  });

  test('leaves what was put in the place of the database as it is', async () => {
    const { writer, rescue } = await stand.inUse(4);
    cut(stand.folder, () => 0);
    remove(['']);
    writeFileSync(path(''), 'of somebody else');
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(stand.reported).toEqual([expect.stringMatching(/kept as sidelight\.db\.replaced-/)]);
    const aside = readdirSync(stand.folder).filter((name) => /replaced-[^.]*$/.test(name));
    expect(aside.map((name) => readFileSync(join(stand.folder, name), 'utf8'))).toEqual(['of somebody else']);
    expect(tablesOf(stand.folder)).toEqual(rows(1, 4));
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
  });

  /** Moves another history with its newest records into the place of this one. Returns those records. */
  async function moveOther(): Promise<Buffer> {
    const other = join(stand.root, 'other');
    mkdirSync(other);
    const { writer: ofOther } = stand.open(other);
    await committed(ofOther, 1, 1);
    await ofOther.write([whole(2, { wire: 'of another history' })], false);
    const left = stand.killed(other);
    const theirs = readFileSync(join(left, 'sidelight.db-newest'));
    for (const ending of ['', '-newest']) renameSync(join(left, `sidelight.db${ending}`), path(ending));
    return theirs;
  }

  /** For each file of newest records that was set aside, whether it has these. */
  function areAside(theirs: Buffer): readonly boolean[] {
    const names = readdirSync(stand.folder).filter((name) => name.startsWith('sidelight.db-newest.'));
    return names.map((name) => theirs.equals(readFileSync(join(stand.folder, name))));
  }

  test('sets another history aside that was moved into its place, with its newest records', async () => {
    const { writer, rescue } = await stand.inUse(3);
    await writer.write([whole(4)], false);
    const theirs = await moveOther();
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(areAside(theirs)).toEqual([true]);
    expect(stand.reported).toEqual([
      expect.stringMatching(/ What was in the place of sidelight\.db-newest is kept as .*replaced-[^ ]*\.$/),
    ]);
    expect(tablesOf(stand.folder)).toEqual(rows(1, 4));
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
  });

  test.each([
    ['its newest records are in their file', true],
    ['it has no such file', false],
  ])('so it does where it goes on before that is noticed, while %s', async (_, hasFile) => {
    const { writer, rescue } = await stand.inUse(4);
    if (!hasFile) await writer.setSync('full');
    expect(existsSync(path('-newest'))).toBe(hasFile);
    const theirs = await moveOther();
    await writer.ask('commit', null);
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
    expect(areAside(theirs)).toEqual([true]);
    expect(stand.said).toEqual([
      expect.stringMatching(/put in the place of sidelight\.db-newest .* kept as .*replaced-[^ ]*\. Leave /),
    ]);
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(areAside(theirs)).toEqual([true]);
    expect(tablesOf(stand.folder)).toEqual(rows(1, 5));
  });

  test('puts its newest records back once more after a try that failed, and sets no copy of them aside', async () => {
    const { writer, rescue } = await stand.inUse(3);
    await writer.write([whole(4)], false);
    truncateSync(path('-wal'), 0);
    remove(['-newest']);
    refuseOnce();
    expect(await rescue.reopen()).toBe(false);
    vi.restoreAllMocks();
    expect(await rescue.reopen()).toBe(true);
    rescue.releaseLock();
    expect(readdirSync(stand.folder).filter((name) => name.includes('.replaced-'))).toEqual([]);
    expect(tablesOf(stand.folder)).toEqual(rows(1, 4));
  });

  test('lets a history whose file could not be written again be closed', async () => {
    const { writer, rescue } = await stand.inUse(4);
    cut(stand.folder, () => 0);
    rmSync(stand.folder, { recursive: true });
    writeFileSync(stand.folder, 'in the way');
    expect(await rescue.run()).toBe(false);
    expect(rescue.error?.message).toContain('could not write it again');
    rmSync(stand.folder);
    expect(await rescue.run()).toBe(true);
    rescue.releaseLock();
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
    await writer.close();
    expect(tablesOf(stand.folder)).toEqual(rows(1, 5));
    expect(existsSync(path('.rescued'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a history in use', () => {
  let at: InUse['at'];
  let journal: InUse['journal'];
  let reported: InUse['reported'];
  beforeEach(async () => {
    ({ at, journal, reported } = await historyInUse());
  });
  afterEach(() => at.remove());

  test.each([
    ['its log', ['-wal']],
    ['its file', ['']],
    ['all of its files', ['', '-wal', '-shm', '-newest']],
  ])('goes on after its log was cut and %s removed', async (_, endings) => {
    truncateSync(`${at.file}-wal`, 0);
    for (const ending of endings) rmSync(at.file + ending);
    await expect.poll(() => reported, PATIENT).toHaveLength(1);
    await journal.append(finished(6));
    expect((await pageNumbers(journal)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    expect(journal.trouble).toBeUndefined();
    await journal.close();
    const next = await at.open();
    expect((await pageNumbers(next)).numbers).toEqual([6, 5, 4, 3, 2, 1]);
    expect(wrongIn(at.folder)).toEqual([]);
  });
});
