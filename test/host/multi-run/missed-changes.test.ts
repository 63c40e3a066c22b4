/** Folders that the system does not let be watched: what is missed, how it is told, and that it is tried again. */
import type * as Fs from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FileWatch } from '../../../core/host/multi-run/file-watch.ts';
import { MAX_FOLDERS, missedChanges, RETRY_MS } from '../../../core/host/multi-run/missed-changes.ts';
import { WatchedApps } from '../../../core/host/multi-run/watch-banners.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { folderWith } from './plan-of.ts';
import { anApp, ProcessStand } from './process-stand.ts';

/** Codes with which the system refuses to watch folders, by the end of their path. */
const refused = new Map<string, string>();
const opened: FSWatcher[] = [];

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof Fs>();
  const refusing = (path: string, listener: Parameters<typeof fs.watch>[1]): FSWatcher => {
    const code = [...refused].find(([end]) => path.endsWith(end))?.[1];
    if (code !== undefined) throw Object.assign(new Error(`${code}: no`), { code });
    const one = fs.watch(path, listener as () => void);
    opened.push(one);
    return one;
  };
  return { ...fs, watch: vi.fn<typeof refusing>(refusing) };
});

beforeEach(() => {
  refused.clear();
  opened.splice(0);
});

function stand(globs: readonly string[], files: Readonly<Record<string, string>>) {
  const folder = folderWith(files);
  const clock = new ManualClock();
  const seen: { changes: number; missed: (string | undefined)[] } = { changes: 0, missed: [] };
  const one = new FileWatch({
    folder,
    globs,
    clock,
    onChange: () => (seen.changes += 1),
    onTrouble: () => undefined,
    onMissed: (why) => seen.missed.push(why?.replaceAll(folder, 'FOLDER')),
  });
  onTestFinished(() => one.close());
  return { folder, clock, seen };
}

const AGAIN =
  'Sidelight tries again every 10s, and then restarts the app, because its files may have changed';

test.each([
  [
    'ENOSPC',
    'the system has no file watch left for FOLDER/src and 1 more folder: raise fs.inotify.max_user_watches, or name fewer folders in watch',
  ],
  [
    'EMFILE',
    'too many files or file watches are open to watch FOLDER/src and 1 more folder: raise ulimit -n, or fs.inotify.max_user_instances on Linux',
  ],
  [
    'EACCES',
    'there is no permission to read FOLDER/src and 1 more folder: give this user the right to read it',
  ],
  ['EWHAT', 'the system does not watch FOLDER/src and 1 more folder (EWHAT)'],
])(
  'folders that are refused with %s are told once, and watched as soon as they can be',
  async (code, why) => {
    refused.set('/src', code);
    refused.set('/lib', code);
    const { clock, seen, folder } = stand(['**/*.js'], { 'src/a.js': '1', 'lib/b.js': '1', 'c.js': '1' });
    await setImmediate();
    const order = seen.missed[0]?.includes('FOLDER/src') === true ? why : why.replace('/src', '/lib');
    expect(seen.missed).toEqual([`${order}; ${AGAIN}`]);
    clock.advance(RETRY_MS);
    await setImmediate();
    expect([seen.missed.length, seen.changes]).toEqual([1, 0]);
    refused.clear();
    clock.advance(RETRY_MS);
    await setImmediate();
    expect(seen.missed).toEqual([`${order}; ${AGAIN}`, undefined]);
    // Changes in between were missed, so the files of the folders count as changed.
    clock.advance(300);
    expect(seen.changes).toBe(1);
    writeFileSync(join(folder, 'src/a.js'), '2');
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
  },
);

test('a watch that breaks is told, and one of a folder that is gone is not', async () => {
  const { seen, folder, clock } = stand(['**/*.js'], { 'src/a.js': '1' });
  await setImmediate();
  expect(seen.missed).toEqual([]);
  const broken = Object.assign(new Error('EPERM: no'), { code: 'EPERM' });
  refused.set('/src', 'EPERM');
  const at = vi.mocked(watch).mock.calls.findLastIndex(([path]) => String(path) === join(folder, 'src'));
  const result = vi.mocked(watch).mock.results[at]?.value as FSWatcher;
  result.emit('error', broken);
  await setImmediate();
  expect(seen.missed).toEqual([
    `there is no permission to watch FOLDER/src: give this user the right to read it; ${AGAIN}`,
  ]);
  refused.set('/src', 'ENOENT');
  clock.advance(RETRY_MS);
  await setImmediate();
  expect(seen.missed.at(-1)).toBeUndefined();
});

test('more folders than are watched are told with how to go on', async () => {
  const { seen, folder } = stand(['**/*.js'], { 'a.js': '1' });
  for (let i = 0; i < MAX_FOLDERS; i += 1) mkdirSync(join(folder, `f${i}`));
  await vi.waitFor(() =>
    expect(seen.missed).toEqual([
      'there are more than 1,000 folders, and the rest is not watched: name the folders that matter in watch, such as src/**',
    ]),
  );
});

test('nothing is told where everything is watched', () => {
  expect(missedChanges({ folders: new Map(), isFull: false })).toBeUndefined();
});

test('an app whose changes are missed has a banner and lines of the log, until they are noticed again', async () => {
  const folder = folderWith({ 'a.js': '1' });
  refused.set(folder, 'ENOSPC');
  const clock = new ManualClock();
  const lines: string[] = [];
  const watched = new WatchedApps({
    dataDir: undefined,
    clock,
    log: (level, text, appId) => lines.push(`${level} ${appId} ${text}`),
    renew: () => undefined,
  });
  onTestFinished(() => watched.end());
  const { processes } = new ProcessStand([anApp('shop', { folder, watch: ['*.js'] }), anApp('other')]);
  watched.begin(processes.all);
  await setImmediate();
  const text = `Sidelight misses changes of the files of app shop: the system has no file watch left for ${folder}: raise fs.inotify.max_user_watches, or name fewer folders in watch; ${AGAIN}. After a change that it misses, restart the app by hand.`;
  expect(watched.banners()).toEqual([{ id: 'watch-1', text, level: 'warn' }]);
  expect(lines).toEqual([`warn shop ${text}`]);
  refused.clear();
  clock.advance(RETRY_MS);
  await setImmediate();
  expect(watched.banners()).toEqual([]);
  expect(lines.at(-1)).toBe('info shop All changes of the files of app shop are noticed again.');
});
