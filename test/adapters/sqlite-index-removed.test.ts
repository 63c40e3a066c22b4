/**
 * The index beside the log (`sidelight.db-shm`) was removed, and another program that reads made one of its own: it says less than the log
 * has.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { openSqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import { count, finished } from './journal-records.ts';
import { committed } from './log-cutting.ts';
import { NewestStand, row, tablesOf, whole } from './newest-stand.ts';
import { wrongIn } from './tables-check.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

const STAND = JSON.stringify(new URL('newest-stand.ts', import.meta.url).href);
const LOCK = JSON.stringify(new URL('../../core/adapters/sqlite-journal/lock.ts', import.meta.url).href);

/** Messages that the index of the other program knows, and those that came after it. */
const BEFORE = count(1, 300);
const rows = (to: number): unknown[] => count(1, to).map((number) => row(number));

// Windows does not let a file that is open be removed.
describe.skipIf(process.platform === 'win32')('an index that another program made', () => {
  let stand: NewestStand;
  let children: Child[];
  beforeEach(() => {
    stand = new NewestStand();
    children = [];
  });
  afterEach(async () => {
    for (const child of children) await ended(child);
    await stand.remove();
  });

  /** Resolves with the first that it says. */
  async function started(script: string): Promise<Child> {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Nothing of it stays when it is killed.
      env: { ...process.env, TMPDIR: stand.root },
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  async function ended(child: Child): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGKILL');
    await over;
  }

  /** Takes the index away; another program that reads makes its own, and goes on. */
  async function replaced(): Promise<void> {
    rmSync(join(stand.folder, 'sidelight.db-shm'));
    await started(`import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(${JSON.stringify(join(stand.folder, 'sidelight.db'))});
      db.prepare('SELECT count(*) FROM message').get();
      process.stdout.write('open');
      setInterval(() => db.isOpen, 1000);`);
  }

  const brokenFiles = (): string[] => readdirSync(stand.folder).filter((name) => name.includes('.broken-'));

  /** The last part of `after` is in the log; its beginning is there too, or in the database alone. */
  async function more(writer: Appender, to: number, isMoved: boolean): Promise<void> {
    await committed(writer, BEFORE.length + 1, to - 2);
    if (isMoved) await writer.idle();
    await committed(writer, to - 1, to);
  }

  test.each([
    ['has not begun again', false],
    ['has begun again', true],
  ])('is not used where the history is opened again and the log %s', async (_, isMoved) => {
    const { writer } = stand.open();
    await writer.write(
      BEFORE.map((number) => whole(number)),
      false,
    );
    await writer.ask('commit', null);
    await replaced();
    await more(writer, 320, isMoved);
    expect(await writer.reopen()).toMatchObject({ why: 'removed', lost: 0, report: { notes: [] } });
    expect(tablesOf(stand.folder)).toEqual(rows(320));
    expect(brokenFiles()).toEqual([]);
    await committed(writer, 321, 323);
    await writer.close();
    expect(tablesOf(stand.folder)).toEqual(rows(323));
    expect(wrongIn(stand.folder)).toEqual([]);
  });

  test.each([
    ['has not begun again', false],
    ['has begun again', true],
  ])('is not used by a start after a kill where the log %s', async (_, isMoved) => {
    const killed = await started(`
      const { NewestStand, whole } = await import(${STAND});
      const { lockFolder } = await import(${LOCK});
      lockFolder(${JSON.stringify(stand.folder)});
      const { writer } = new NewestStand().open(${JSON.stringify(stand.folder)});
      const committed = async (from, to) => {
        for (let number = from; number <= to; number += 1) {
          await writer.write([whole(number)], false);
          await writer.ask('commit', null);
        }
      };
      await committed(1, ${BEFORE.length});
      process.stdout.write('written');
      process.stdin.once('data', async () => {
        await committed(${BEFORE.length + 1}, 318);
        if (${isMoved}) await writer.idle();
        await committed(319, 320);
        process.stdout.write('more');
      });`);
    await replaced();
    killed.stdin.write('go');
    await once(killed.stdout, 'data');
    await ended(killed);
    const log = { write: () => undefined };
    const journal = await openSqliteJournal({ folder: stand.folder, sync: 'normal', log, ballastBytes: 0 });
    onTestFinished(() => journal.close());
    expect(journal.report).toMatchObject({ wasUnclean: true, notes: [] });
    expect(brokenFiles()).toEqual([]);
    await journal.append(finished(321));
    expect(await journal.stats()).toMatchObject({ messages: 321 });
    await journal.close();
    expect(tablesOf(stand.folder).slice(0, -1)).toEqual(rows(320));
    expect(wrongIn(stand.folder)).toEqual([]);
  });
});
