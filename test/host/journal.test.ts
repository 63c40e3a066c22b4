/** Place of the history: the platform's folder, the flags, the opened journal, and messages to a person. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { defaultDataDir, homeFolder, makeDataDir } from '../../core/host/data-dir.ts';
import { openJournal } from '../../core/host/open-journal.ts';
import type { OpenJournal } from '../../core/host/open-journal.ts';
import { UsageError } from '../../core/host/flags.ts';
import { readCommandLine, readOptions } from '../../core/host/options.ts';
import { PROGRAM } from '../support/program.ts';

let folder: string;
let open: OpenJournal | undefined;
let lines: string[];
const log = {
  write: (level: string, part: string, text: string) => void lines.push(`${level} ${part}: ${text}`),
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-host-'));
  lines = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await open?.journal.close();
  open = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function opened(flags: readonly string[], env: Record<string, string> = {}): Promise<OpenJournal> {
  open = await openJournal(readOptions(['--headless', ...flags], env), 'normal', log);
  return open;
}

describe('the platform’s folder', () => {
  test.each([
    ['linux', {}, '/users/me/.local/share/sidelight'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/sidelight'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/users/me/.local/share/sidelight'],
    ['freebsd', { XDG_DATA_HOME: '' }, '/users/me/.local/share/sidelight'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/users/me/Library/Application Support/Sidelight'],
  ] as const)('is found on %s with %o', (platform, env, expected) => {
    expect(defaultDataDir(env, platform, () => '/users/me')).toBe(expected);
  });

  test.each([
    [{ LOCALAPPDATA: String.raw`D:\Local` }, String.raw`D:\Local\Sidelight`],
    [{ LOCALAPPDATA: 'Local' }, String.raw`C:\me\AppData\Local\Sidelight`],
    [{}, String.raw`C:\me\AppData\Local\Sidelight`],
  ])('is found on win32 with %o', (env, expected) => {
    expect(defaultDataDir(env, 'win32', () => String.raw`C:\me`)).toBe(expected);
  });

  test('is unknown for a user without a home folder, unless a variable names it', () => {
    const none = (): undefined => undefined;
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(defaultDataDir({}, platform, none)).toBeUndefined();
    expect(defaultDataDir({ XDG_DATA_HOME: '/data' }, 'linux', none)).toBe('/data/sidelight');
  });

  test('is in the home folder that the system knows if the variable for it is empty or relative', () => {
    const unknown = (): string => {
      throw Object.assign(new Error('no such user'), { syscall: 'uv_os_get_passwd' });
    };
    const home = process.platform === 'win32' ? String.raw`C:\me` : '/users/me';
    expect(homeFolder([() => '', () => home])).toBe(home);
    expect(homeFolder([() => 'me', () => home])).toBe(home);
    expect(homeFolder([unknown, () => home])).toBe(home);
    expect(homeFolder([() => '', unknown])).toBeUndefined();
  });

  test('is created for its owner alone, and an existing one stays as it is', () => {
    const made = join(folder, 'a', 'b');
    makeDataDir(made);
    makeDataDir(made);
    const others = process.platform === 'win32' ? 0 : statSync(made).mode & 0o077;
    expect(others).toBe(0);
    writeFileSync(join(folder, 'file'), '');
    makeDataDir(join(folder, 'file', 'x'));
  });
});

describe('the flags', () => {
  test('--data-dir need not exist, and is absolute from then on', () => {
    const { dataDir, ephemeral } = readOptions(['--data-dir', join(folder, 'new')], {});
    expect({ dataDir, ephemeral }).toEqual({ dataDir: join(folder, 'new'), ephemeral: false });
    expect(readOptions(['--data-dir', 'here'], {}).dataDir).toBe(join(process.cwd(), 'here'));
    expect(readOptions([], {}).dataDir).toBeUndefined();
  });

  test.each([
    [['--data-dir', ''], /--data-dir must be a folder, got ""/],
    [['--data-dir', fileURLToPath(import.meta.url)], /--data-dir must be a folder/],
    [['--data-dir', 'x', '--ephemeral'], /give only one of them/],
    [['--data-dir'], /--data-dir/],
  ])('%j is bad usage', (flags, said) => {
    expect(() => readOptions(flags, {})).toThrow(UsageError);
    expect(() => readOptions(flags, {})).toThrow(said);
  });
});

describe('opening the journal', () => {
  test('with --ephemeral writes nothing to disk', async () => {
    const { journal, banners, folder: where } = await opened(['--ephemeral'], { XDG_DATA_HOME: folder });
    expect(journal.durable).toBe(false);
    expect(where).toBeUndefined();
    expect(banners()).toEqual([]);
    expect(existsSync(join(folder, 'sidelight'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32' || process.platform === 'darwin')(
    'the platform’s folder without a flag',
    async () => {
      const { journal, folder: where } = await opened([], { XDG_DATA_HOME: folder });
      expect(journal.durable).toBe(true);
      expect(where).toBe(join(folder, 'sidelight'));
      expect(lines).toEqual([expect.stringMatching(/info journal: .*sidelight\.db, SQLite 3\./)]);
    },
  );

  test.each([
    [['tap', '--app-url', 'http://127.0.0.1:8080'], 'debug'],
    [['run', '--app-url', 'http://127.0.0.1:8080'], 'debug'],
    [['tap', '--app-url', 'http://127.0.0.1:8080', '--headless'], 'info'],
    [[], 'info'],
  ])(
    'with %j says the file at level %s, so that a command begins with what to change',
    async (argv, level) => {
      const asked = readCommandLine([...argv, '--data-dir', folder], {});
      if (asked.kind !== 'start') throw new Error('it starts nothing');
      open = await openJournal(asked.options, 'normal', log);
      expect(lines).toEqual([
        expect.stringMatching(new RegExp(`^${level} journal: .*sidelight\\.db, SQLite 3\\.`)),
      ]);
    },
  );

  test('in a folder that cannot be created refuses publishes, and a banner says what to do', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { journal, banners } = await opened(['--data-dir', join(folder, 'file', 'x')]);
    await expect(journal.append([{ kind: 'kept', key: 'a', value: 1 }])).rejects.toMatchObject({
      code: 'readonly',
    });
    expect(banners()).toEqual([
      expect.objectContaining({ level: 'error', text: expect.stringMatching(/--data-dir.*--ephemeral/) }),
    ]);
  });

  test('without SQLite keeps it in memory, and a banner says so', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const { journal, banners } = await opened(['--data-dir', folder]);
    expect(journal.durable).toBe(false);
    expect(banners()).toEqual([expect.objectContaining({ id: 'not-kept', level: 'warn' })]);
    expect(lines).toEqual([expect.stringContaining('no built-in SQLite')]);
  });

  test('a banner shows a later write error as long as it lasts', async () => {
    const { journal, banners } = await opened(['--data-dir', folder]);
    const record = { kind: 'message.changed', messageId: 'msg_1', patch: {} } as const;
    const symbol: unknown = {
      toJSON: () => {
        throw new Error('cannot be kept');
      },
    };
    await expect(journal.append([{ kind: 'kept', key: 'a', value: symbol }])).rejects.toThrow(
      'cannot be kept',
    );
    expect(banners()).toEqual([]);
    await journal.append([record]);
  });
});

test('a second instance on one folder ends with status 1 and one line that names folder and process', async () => {
  await opened(['--data-dir', folder]);
  const ports = ['--sidecar-port', '0', '--app-port', '0', '--console-port', '0'];
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [PROGRAM, '--headless', '--data-dir', folder, ...ports],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^sidelight: the data folder .* is in use by process \d+/),
  ]);
  expect(stderr).toContain(folder);
  expect(stderr).toContain(String(process.pid));
}, 90_000);
