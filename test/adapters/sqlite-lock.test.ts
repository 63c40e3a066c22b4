/** The lock file of the folder is removed while it is in use: noticed, made again, and no second process gets in meanwhile. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { LockWatch } from '../../core/adapters/sqlite-journal/lock-watch.ts';
import { lockFolder } from '../../core/adapters/sqlite-journal/lock.ts';
import { openFile } from '../../core/adapters/sqlite-journal/open.ts';
import { fill, pageNumbers } from './journal-records.ts';
import { LOOK_EVERY_MS, testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

const PATIENT = { timeout: 15_000 };
const AGAIN =
  'warn journal: lock.db was removed from the data folder while Sidelight was using it. Sidelight has created it again. Leave the files of this folder alone while Sidelight runs.';
const LOCK = new URL('../../core/adapters/sqlite-journal/lock.ts', import.meta.url).href;

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** A folder that is held and looked after, many times a second. */
async function watched(): Promise<void> {
  await writeFile(at.file, '');
  const lock = lockFolder(at.folder);
  const notice = (level: string, text: string): void => void at.lines.push(`${level} journal: ${text}`);
  const watch = new LockWatch(at.folder, () => lock, notice, 10);
  onTestFinished(async () => {
    await watch.stop();
    lock.release();
  });
}

/** Output of another process that locks the folder. */
async function inAnotherProcess(folder: string): Promise<string> {
  const script = `import(${JSON.stringify(LOCK)}).then(({ lockFolder }) => {
    try { lockFolder(${JSON.stringify(folder)}).release(); console.log('taken'); }
    catch (error) { console.log(error.message); }
  })`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

// Windows does not let an open file be removed.
describe.skipIf(process.platform === 'win32')('lock.db removed while the folder is in use', () => {
  test('another process is refused at once', async () => {
    const journal = await at.open();
    await fill(journal, 1, 3);
    await rm(join(at.folder, 'lock.db'));
    expect(await inAnotherProcess(at.folder)).toContain(`in use by process ${process.pid}`);
    expect((await pageNumbers(journal)).numbers).toEqual([3, 2, 1]);
  });

  test('a removed lock is found even if the name of the holder was removed too', async () => {
    // Nothing looks after the folder here: a journal would soon write both again.
    const lock = lockFolder(at.folder);
    const { db } = openFile({ folder: at.folder, sync: 'normal', ballastBytes: 0, now: Date.now });
    onTestFinished(() => {
      db.close();
      lock.release();
    });
    for (const name of ['lock.db', 'holder.json']) await rm(join(at.folder, name));
    expect(await inAnotherProcess(at.folder)).toContain('in use by another process');
  });

  test('a lock that was removed with the journal is found, because the named holder runs', async () => {
    await at.open();
    for (const name of ['lock.db', 'sidelight.db', 'sidelight.db-wal', 'sidelight.db-shm'])
      await rm(join(at.folder, name), { force: true });
    expect(await inAnotherProcess(at.folder)).toContain(`in use by process ${process.pid}`);
  });

  test.each([
    ['a folder', (place: string) => mkdir(place)],
    [
      'a text',
      (place: string) => writeFile(place, 'this is no database at all, but a text that is long enough'),
    ],
    ['an empty file, whose lock is free', (place: string) => writeFile(place, '')],
    ['a link that leads nowhere', (place: string) => symlink(join(at.folder, 'away', 'file'), place)],
  ])('another process is refused where %s stands in its place', async (_, put) => {
    const journal = await at.open();
    await fill(journal, 1, 3);
    const place = join(at.folder, 'lock.db');
    await rm(place);
    await put(place);
    expect(await inAnotherProcess(at.folder)).toContain(`in use by process ${process.pid}`);
    await journal.close();
    expect(await inAnotherProcess(at.folder)).toBe('taken');
  });

  test('is made again, and says so; the folder is locked as before', async () => {
    await watched();
    await rm(join(at.folder, 'lock.db'));
    await expect.poll(() => at.lines, PATIENT).toEqual([AGAIN]);
    expect(existsSync(join(at.folder, 'lock.db'))).toBe(true);
    expect(await inAnotherProcess(at.folder)).toContain(`in use by process ${process.pid}`);
  });

  test('another file in its place is reported once, and the lock is taken again after its removal', async () => {
    await watched();
    // In one step: in between it would be made again.
    await writeFile(join(at.folder, 'other'), 'this is no database at all, but a text that is long enough');
    await rename(join(at.folder, 'other'), join(at.folder, 'lock.db'));
    await expect.poll(() => at.lines.join('\n'), PATIENT).toContain('could not create it again');
    await rm(join(at.folder, 'lock.db'));
    await expect.poll(() => at.lines, PATIENT).toContainEqual(AGAIN);
    expect(at.lines).toHaveLength(2);
  });

  test('a journal looks after the lock of its folder', async () => {
    await at.open({ lookEveryMs: LOOK_EVERY_MS });
    await rm(join(at.folder, 'lock.db'));
    await expect.poll(() => at.lines, PATIENT).toEqual([AGAIN]);
  });
});

/**
 * Runs lines of a module in a process of its own, which ends after a while: what waits for a named pipe cannot be interrupted.
 * @param file module of the journal; `it` has what it exports, `folder` is the data folder
 * @param lines the last one is awaited
 */
async function apart(file: string, lines: string): Promise<string> {
  const url = new URL(`../../core/adapters/sqlite-journal/${file}`, import.meta.url).href;
  const script = `const it = await import(${JSON.stringify(url)});
    const { execFileSync } = await import('node:child_process');
    const { rmSync, statSync } = await import('node:fs');
    const { join } = await import('node:path');
    const folder = ${JSON.stringify(at.folder)};
    const pipe = (name) => {
      rmSync(join(folder, name), { force: true });
      execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, name)]);
    };
    ${lines}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 12_000,
    killSignal: 'SIGKILL',
  });
  return stdout.trim();
}

describe.skipIf(process.platform === 'win32')('a named pipe in the data folder is not waited for', () => {
  test('in place of holder.json when the folder is locked: a file takes its place', async () => {
    const said = await apart(
      'lock.ts',
      `pipe('holder.json');
       const lock = it.lockFolder(folder);
       console.log(statSync(join(folder, 'holder.json')).isFile());
       lock.release();`,
    );
    expect(said).toBe('true');
  });

  test('in place of holder.json when lock.db is made again', async () => {
    const said = await apart(
      'lock.ts',
      `const lock = it.lockFolder(folder);
       pipe('holder.json');
       rmSync(join(folder, 'lock.db'));
       console.log(lock.renew(), statSync(join(folder, 'holder.json')).isFile());
       lock.release();`,
    );
    expect(said).toBe('made again true');
  });

  test('in place of holder.json by another process that wants the folder', async () => {
    const lock = lockFolder(at.folder);
    onTestFinished(() => lock.release());
    const said = await apart(
      'lock.ts',
      `pipe('holder.json');
       try { it.lockFolder(folder); } catch (error) { console.log(error.message); }`,
    );
    expect(said).toContain('in use by another process');
  });

  test('in place of the log beside the history, or of its index', async () => {
    const said = await apart(
      'database-log.ts',
      `pipe('sidelight.db-wal');
       pipe('sidelight.db-shm');
       const log = new it.DatabaseLog(join(folder, 'sidelight.db'), () => true);
       log.look();
       log.dropCut(join(folder, 'sidelight.db'));
       console.log(log.isCut());`,
    );
    expect(said).toBe('false');
  });

  test('in place of the ballast: a file takes its place', async () => {
    const said = await apart(
      'ballast.ts',
      `pipe('ballast');
       new it.Ballast(folder, 65_536);
       console.log(statSync(join(folder, 'ballast')).size);`,
    );
    expect(said).toBe('65536');
  });
});

describe('a folder without its lock file that nobody uses', () => {
  test('can be locked, also if an ended holder left its name', async () => {
    const journal = await at.open();
    await fill(journal, 1, 2);
    await journal.close();
    await rm(join(at.folder, 'lock.db'));
    await writeFile(join(at.folder, 'holder.json'), JSON.stringify({ pid: 2 ** 30 }));
    expect((await pageNumbers(await at.open())).numbers).toEqual([2, 1]);
  });

  test('still counts as left by a killed process', async () => {
    const journal = await at.open();
    await fill(journal, 1, 2);
    await journal.close();
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(at.file);
    db.exec('UPDATE totals SET clean = 0');
    db.close();
    await rm(join(at.folder, 'lock.db'));
    expect((await at.open()).report.wasUnclean).toBe(true);
  });

  test('a released lock is not taken again', async () => {
    const lock = lockFolder(at.folder);
    lock.release();
    await rm(join(at.folder, 'lock.db'));
    expect(lock.renew()).toBe('in place');
    expect(existsSync(join(at.folder, 'lock.db'))).toBe(false);
  });
});

describe('processes that want the folder at the same moment', () => {
  const PROCESSES = 5;

  /** Starts a process that locks the folder when it is told, and keeps it as long as it runs. */
  function racer(): { ready: Promise<unknown>; go: () => void; said: Promise<string> } {
    const script = `import(${JSON.stringify(LOCK)}).then(({ lockFolder }) => {
      console.log('ready');
      process.stdin.once('data', () => {
        try { lockFolder(${JSON.stringify(at.folder)}); console.log('taken'); }
        catch (error) { console.log(error.message); }
      });
      process.stdin.on('end', () => process.exit());
    })`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      const over = once(child, 'exit');
      child.stdin.end();
      await over;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    const ready = next();
    return { ready, go: () => void child.stdin.write('go'), said: ready.then(next) };
  }

  test.each<[string, () => Promise<void>]>([
    ['is new', () => Promise.resolve()],
    [
      'was closed in order',
      async () => {
        await (await at.open()).close();
      },
    ],
    [
      'was left by a kill',
      async () => {
        await (await at.open()).close();
        await writeFile(join(at.folder, 'holder.json'), JSON.stringify({ pid: 2 ** 30 }));
      },
    ],
    [
      'has lost its lock file',
      async () => {
        await (await at.open()).close();
        await rm(join(at.folder, 'lock.db'));
      },
    ],
  ])('one gets it where it %s', PATIENT, async (_, prepare) => {
    await prepare();
    const racers = Array.from({ length: PROCESSES }, racer);
    await Promise.all(racers.map(({ ready }) => ready));
    for (const { go } of racers) go();
    const said = await Promise.all(racers.map((one) => one.said));
    expect(said.filter((text) => text === 'taken')).toHaveLength(1);
    expect(said.filter((text) => text.includes('is in use by'))).toHaveLength(PROCESSES - 1);
  });
});
