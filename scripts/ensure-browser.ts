// Finds or installs a Chromium that really starts: an installed one first, then Playwright's download, then the system's packages.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type LaunchOptions } from 'playwright';
import { runFile, toolFile } from './tools.ts';

/** Variable with the decision for all processes of a run, as JSON of Playwright's launch options. */
export const BROWSER_VARIABLE = 'SIDELIGHT_BROWSER';

/** Longest start, far above the usual time: `npm test` searches a browser while unit tests run. */
const LAUNCH_LIMIT_MS = 60_000;
/** Maximum number of tries to remove a folder that is created again. */
const LOOKS = 20;
const RECHECK_MS = 150;
/** Checks in a row that must find no folder. */
const GONE_IN_ROW = 3;
const TEMPORARY = ['TMPDIR', 'TEMP', 'TMP'];
/** Package of a browser without windows. */
const HEADLESS_SHELL = 'chromium-headless-shell';
/** Programs on the PATH. The one without windows comes first, because it needs the least processor time. */
const ON_PATH = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const log = (text: string): void => void process.stderr.write(`browser: ${text}\n`);

/** Starts and closes a browser. False: it did not start, and the reason is on stderr. */
async function starts(label: string, options: LaunchOptions): Promise<boolean> {
  try {
    const version = await inScratch(async () => {
      const browser = await chromium.launch({ ...options, timeout: LAUNCH_LIMIT_MS });
      await browser.close();
      return browser.version();
    });
    log(`${label}: starts, version ${version}`);
    return true;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    log(`${label}: ${text.split('\n', 1)[0] ?? 'does not start'}`);
    return false;
  }
}

/**
 * Runs `work` with a temporary folder that is removed afterwards, because a failed launch leaves its profile
 * and artifacts.
 */
async function inScratch<T>(work: () => Promise<T>): Promise<T> {
  const before = TEMPORARY.map((name) => [name, process.env[name]] as const);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-browser-'));
  for (const name of TEMPORARY) process.env[name] = scratch;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await removeForGood(scratch);
  }
}

/**
 * Removes a folder until it stays away: processes of a browser end a little after it, and may create their
 * folder again.
 */
async function removeForGood(folder: string): Promise<void> {
  // A folder that is created after the last check is removed when this program exits.
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  let goneInRow = 0;
  for (let looks = 0; looks < LOOKS && goneInRow < GONE_IN_ROW; looks += 1) {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await sleep(RECHECK_MS);
    goneInRow = fs.existsSync(folder) ? 0 : goneInRow + 1;
  }
}

const onPath = (): string[] => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return ON_PATH.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter((file) =>
    fs.existsSync(file),
  );
};

async function fromPath(): Promise<LaunchOptions | undefined> {
  const files = onPath();
  if (files.length === 0) log(`none of ${ON_PATH.join(', ')} is on PATH`);
  for (const executablePath of files) {
    if (await starts(executablePath, { executablePath })) return { executablePath };
  }
  return undefined;
}

/** Uses Playwright's own download. A launch decides, because its exit code says less. */
async function byPlaywright(): Promise<LaunchOptions | undefined> {
  log('fetching the one that Playwright brings');
  await runFile(toolFile('playwright'), ['install', '--only-shell', 'chromium'], {
    output: 'stderr',
    limitMs: 300_000,
  });
  return (await starts('the one that Playwright brings', {})) ? {} : undefined;
}

/** Debian's packages, the one that needs less processor time first. */
const PACKAGES = [HEADLESS_SHELL, 'chromium'];
const INSTALL_LIMIT_MS = 300_000;
/** Time limit for a cheaper browser if there is one already. */
const CHEAPER_LIMIT_MS = 60_000;

const isRootOnDebian = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');

/** Runs the package manager, and prints the result if it failed. */
function aptGet(limitMs: number, ...args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const silence = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1'];
  const { status, error } = spawnSync('apt-get', [...silence, ...args], {
    env,
    stdio: ['ignore', 2, 2],
    timeout: limitMs,
  });
  if (status !== 0) log(`apt-get ${args[0]} ended with ${status ?? error?.message}`);
}

function installPackage(name: string, limitMs: number): void {
  log(`installing the system package ${name}`);
  aptGet(limitMs, 'install', '-y', '-qq', '--no-install-recommends', name);
}

/** Installs a package of Debian, if the user is root there. */
async function byPackageManager(): Promise<LaunchOptions | undefined> {
  if (!isRootOnDebian()) {
    log('no package manager to ask (Debian as root only)');
    return undefined;
  }
  aptGet(INSTALL_LIMIT_MS, 'update', '-qq');
  for (const name of PACKAGES) {
    installPackage(name, INSTALL_LIMIT_MS);
    const found = await fromPath();
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether to install a browser without windows beside the found ones: only on a CI machine, which exists only
 * for the run.
 */
export function wantsCheaper(isCi: boolean, found: readonly string[]): boolean {
  return isCi && found.length > 0 && !found.some((file) => path.basename(file) === HEADLESS_SHELL);
}

/** Installs a browser without windows, with which journeys take a fifth less processor time. */
function installCheaper(): void {
  if (!isRootOnDebian() || !wantsCheaper(Boolean(process.env['CI']), onPath())) return;
  aptGet(CHEAPER_LIMIT_MS, 'update', '-qq');
  installPackage(HEADLESS_SHELL, CHEAPER_LIMIT_MS);
}

/**
 * Launch options of a Chromium that starts on this machine; decided once per run and stored in `SIDELIGHT_BROWSER`.
 * @throws Error with advice if every way failed
 */
export async function ensureBrowser(): Promise<LaunchOptions> {
  const decided = process.env[BROWSER_VARIABLE];
  if (decided !== undefined) {
    const options: LaunchOptions = JSON.parse(decided);
    return options;
  }
  const options = await decide();
  process.env[BROWSER_VARIABLE] = JSON.stringify(options);
  return options;
}

async function decide(): Promise<LaunchOptions> {
  const named = process.env['SIDELIGHT_CHROMIUM'];
  if (named && (await starts(`SIDELIGHT_CHROMIUM=${named}`, { executablePath: named }))) {
    return { executablePath: named };
  }
  if (await starts('the one that Playwright brings', {})) return {};
  for (const channel of ['chrome', 'msedge']) {
    if (await starts(`channel ${channel}`, { channel })) return { channel };
  }
  installCheaper();
  const found = (await fromPath()) ?? (await byPlaywright()) ?? (await byPackageManager());
  if (found) return found;
  throw new Error(
    'no Chromium starts here: run "npx playwright install --with-deps chromium", or set SIDELIGHT_CHROMIUM to one',
  );
}
