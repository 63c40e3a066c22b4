// Finds the Electron binary without loading the electron package, which would download it; downloads it if
// there is a display.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT, runFile } from './tools.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (file: string) => boolean;
}

const BINARY_IN: Readonly<Record<string, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

const FETCH_LIMIT_MS = 10 * 60_000;
const PROGRESS_EVERY_MS = 3_000;

const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, exists: fs.existsSync });

/**
 * Path of the Electron binary; undefined: there is none. `ELECTRON_OVERRIDE_DIST_PATH` takes precedence, as in the package itself.
 * @param packageFolder folder of the installed electron package
 */
export function findElectronBinary(
  packageFolder: string,
  machine: Machine = thisMachine(),
): string | undefined {
  const name = BINARY_IN[machine.platform] ?? 'electron';
  const override = machine.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const binary = path.join(override ?? path.join(packageFolder, 'dist'), name);
  // The installer writes path.txt last: without it an interrupted installation has left half of the files.
  const complete = override !== undefined || machine.exists(path.join(packageFolder, 'path.txt'));
  return complete && machine.exists(binary) ? binary : undefined;
}

/** Whether a window can appear: always on Windows and macOS, elsewhere with an X or Wayland display. */
export function hasDisplay(machine: Machine = thisMachine()): boolean {
  if (machine.platform === 'win32' || machine.platform === 'darwin') return true;
  return ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => Boolean(machine.env[name]));
}

/** Whether a start may open a window; nothing is downloaded for the others. */
export function wantsWindow(args: readonly string[]): boolean {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (own[0] === 'run' || own[0] === 'router') return false;
  return !own.some((arg) => ['--headless', '--help', '--version'].includes(arg));
}

/**
 * Environment that tells the host about the desktop binary: `SIDELIGHT_ELECTRON` with its path, or
 * `SIDELIGHT_NO_ELECTRON` with the reason in words that follow "browser mode: ". Downloads a missing binary
 * if there is a display, with progress on stderr.
 */
export async function prepareElectron(): Promise<Record<string, string>> {
  const folder = path.join(ROOT, 'node_modules', 'electron');
  if (!hasDisplay()) return { SIDELIGHT_NO_ELECTRON: 'there is no display here' };
  const present = findElectronBinary(folder);
  if (present !== undefined) return { SIDELIGHT_ELECTRON: present };
  const installer = path.join(folder, 'install.js');
  if (!fs.existsSync(installer)) return { SIDELIGHT_NO_ELECTRON: 'the electron package is not installed' };
  const complaint = await fetchBinary(installer);
  const fetched = findElectronBinary(folder);
  if (fetched !== undefined) return { SIDELIGHT_ELECTRON: fetched };
  return { SIDELIGHT_NO_ELECTRON: `the Electron binary could not be fetched (${complaint})` };
}

/** Runs the package's own installer with its own download folder, whose size is the progress. */
async function fetchBinary(installer: string): Promise<string> {
  const cache = path.join(ROOT, '.cache');
  fs.mkdirSync(cache, { recursive: true });
  const scratch = fs.mkdtempSync(path.join(cache, 'electron-'));
  process.stderr.write('sidelight: fetching the Electron binary; this happens once\n');
  const progress = setInterval(() => {
    process.stderr.write(`sidelight: Electron: ${(sizeOf(scratch) / 1e6).toFixed(0)} MB so far\n`);
  }, PROGRESS_EVERY_MS);
  try {
    const env = { TMPDIR: scratch, TEMP: scratch, TMP: scratch, ELECTRON_GET_NO_PROGRESS: '1' };
    const { code, output } = await runFile(installer, [], {
      env,
      output: 'capture',
      limitMs: FETCH_LIMIT_MS,
    });
    if (code === 0) return 'the installer left no binary';
    return output.split('\n', 1)[0] || `its installer ended with ${code}`;
  } finally {
    clearInterval(progress);
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Bytes below a folder that another process writes to and clears; files that disappear meanwhile are not
 * counted.
 */
function sizeOf(folder: string): number {
  try {
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        (entry) => fs.statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0,
      )
      .reduce((sum, bytes) => sum + bytes, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
