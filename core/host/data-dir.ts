/** The folder in which the journal lives: the platform's place for a user's data, made for its owner alone. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Where one looks on this platform; environment variables of the platform that say otherwise count when they are absolute. */
export function defaultDataDir(env: Env, platform: NodeJS.Platform, home: string = homedir()): string {
  switch (platform) {
    case 'win32': {
      const local = env['LOCALAPPDATA'];
      const root =
        local !== undefined && win32.isAbsolute(local) ? local : win32.join(home, 'AppData', 'Local');
      return win32.join(root, 'Sidelight');
    }
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'Sidelight');
    default: {
      const data = env['XDG_DATA_HOME'];
      const root = data !== undefined && posix.isAbsolute(data) ? data : posix.join(home, '.local', 'share');
      return posix.join(root, 'sidelight');
    }
  }
}

/**
 * Makes the folder where it is missing, readable by its owner alone; one that is there is left as it is.
 * A folder that cannot be made is no failure here: the journal says what is wrong with it, and refuses.
 */
export function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}

/** Whether a name in the default folder is that of a run or a tap, which keeps its data in a folder of its own there. */
export function isFolderOfRun(name: string): boolean {
  return /^(?:run|tap)-/.test(name);
}

/** More runs of one app id at the same time are a mistake. */
const MOST_RUNS = 20;

/**
 * The folders that this start may use, in the order in which they are tried: the first that no other process has. More than one only
 * for `sidelight run` and `sidelight tap` without `--data-dir`, which has a folder of its own beside the others.
 */
export function dataDirsOf(options: {
  readonly mode: 'desktop' | 'headless' | 'run' | 'tap';
  readonly tap?: { readonly appId: string };
  readonly apps: readonly { readonly appId: string }[];
  /** Absent: the first app's id. */
  readonly runName?: string;
  readonly dataDir?: string;
  readonly env: Env;
}): readonly string[] {
  if (options.dataDir !== undefined) return [options.dataDir];
  const standard = defaultDataDir(options.env, process.platform);
  if (options.mode !== 'run' && options.mode !== 'tap') return [standard];
  const appId = options.runName ?? options.tap?.appId ?? options.apps[0]?.appId ?? 'app';
  const name = `${options.mode}-${appId}`;
  // `isFolderOfRun` knows these names.
  return Array.from({ length: MOST_RUNS }, (_, i) => join(standard, i === 0 ? name : `${name}-${i + 1}`));
}
