/** The folder of the journal: in the platform's place for a user's data, readable only by its owner. */
import { mkdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import type { PlatformPath } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The default folder on this platform. Environment variables of the platform can change it if they are
 * absolute paths. Undefined: it would be in the user's home folder, and there is none.
 */
export function defaultDataDir(
  env: Env,
  platform: NodeJS.Platform,
  home: () => string | undefined = homeFolder,
): string | undefined {
  switch (platform) {
    case 'win32': {
      const local = env['LOCALAPPDATA'];
      if (local !== undefined && win32.isAbsolute(local)) return win32.join(local, 'Sidelight');
      return below(win32, home(), 'AppData', 'Local', 'Sidelight');
    }
    case 'darwin':
      return below(posix, home(), 'Library', 'Application Support', 'Sidelight');
    default: {
      const data = env['XDG_DATA_HOME'];
      if (data !== undefined && posix.isAbsolute(data)) return posix.join(data, 'sidelight');
      return below(posix, home(), '.local', 'share', 'sidelight');
    }
  }
}

function below(
  path: PlatformPath,
  home: string | undefined,
  ...names: readonly string[]
): string | undefined {
  return home === undefined ? undefined : path.join(home, ...names);
}

/**
 * The home folder of the user: what the environment says, or else the system. Undefined for a user whom the system
 * does not know, as in a container that runs under any number.
 */
export function homeFolder(
  sources: readonly (() => string)[] = [homedir, () => userInfo().homedir],
): string | undefined {
  for (const find of sources) {
    try {
      const home = find();
      // An empty HOME would put the history into the present folder.
      if (isAbsolute(home)) return home;
    } catch (error) {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
    }
  }
  return undefined;
}

/**
 * Creates the folder if it is missing, readable only by its owner; an existing one is unchanged. A failure is not reported here: the
 * journal reports it, and refuses messages.
 */
export function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}

/**
 * Whether a folder in the default folder belongs to a run or a tap, which keeps its data in a folder of its
 * own there.
 */
export function isFolderOfRun(name: string): boolean {
  return /^(?:run|tap)-/.test(name);
}

/** Maximum number of runs of one app id at the same time; more are a mistake. */
const MAX_RUNS = 20;

/**
 * Folders that this start may use. It takes the first one that no other process uses. There are several only
 * for `sidelight run` and `sidelight tap` without `--data-dir`, which have folders of their own beside the
 * others.
 */
export function dataDirsOf(options: {
  readonly mode: 'desktop' | 'headless' | 'run' | 'tap';
  readonly tap?: { readonly appId: string };
  readonly apps: readonly { readonly appId: string }[];
  /** Name of the run's folder; absent: the first app's id. */
  readonly runName?: string;
  readonly dataDir?: string;
  readonly env: Env;
}): readonly string[] {
  if (options.dataDir !== undefined) return [options.dataDir];
  const standard = defaultDataDir(options.env, process.platform);
  if (standard === undefined)
    throw new Error('this user has no home folder for the history: give --data-dir DIR, or --ephemeral');
  if (options.mode !== 'run' && options.mode !== 'tap') return [standard];
  const appId = options.runName ?? options.tap?.appId ?? options.apps[0]?.appId ?? 'app';
  const name = `${options.mode}-${appId}`;
  // `isFolderOfRun` knows these names.
  return Array.from({ length: MAX_RUNS }, (_, i) => join(standard, i === 0 ? name : `${name}-${i + 1}`));
}
