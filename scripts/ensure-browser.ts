// Finds or installs a Chromium that really starts: an installed one first, then Playwright's download, then the system's packages.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type LaunchOptions } from 'playwright';
import { runFile, toolFile } from './tools.ts';

/** Holds the decision, as JSON of Playwright's launch options, for every process of one run. */
export const BROWSER_VARIABLE = 'SIDELIGHT_BROWSER';

/** Much longer than a start takes: `npm test` looks for a browser while unit tests run. */
const LAUNCH_LIMIT_MS = 60_000;
/** A folder that came back is removed again so often, after so long. */
const LOOKS = 20;
const LOOK_AGAIN_MS = 150;
/** Looks in a row that must find no folder. */
const GONE_IN_ROW = 3;
const TEMPORARY = ['TMPDIR', 'TEMP', 'TMP'];
/** The one without windows comes first, as it needs the least of the processor. */
const ON_PATH = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const say = (text: string): void => void process.stderr.write(`browser: ${text}\n`);

/** Starts and closes a browser. False, with the reason on stderr, when it does not start. */
async function starts(label: string, options: LaunchOptions): Promise<boolean> {
  try {
    const version = await inScratch(async () => {
      const browser = await chromium.launch({ ...options, timeout: LAUNCH_LIMIT_MS });
      await browser.close();
      return browser.version();
    });
    say(`${label}: starts, version ${version}`);
    return true;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    say(`${label}: ${text.split('\n', 1)[0] ?? 'does not start'}`);
    return false;
  }
}

/** A launch that fails leaves its profile and artifacts behind: it gets a temporary folder that goes with it. */
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

/** Processes of a browser end a little after it, and may make their folder once more: so often it must be found gone. */
async function removeForGood(folder: string): Promise<void> {
  // What comes back after the last look goes with this program.
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  let goneInRow = 0;
  for (let looks = 0; looks < LOOKS && goneInRow < GONE_IN_ROW; looks += 1) {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await sleep(LOOK_AGAIN_MS);
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
  if (files.length === 0) say(`none of ${ON_PATH.join(', ')} is on PATH`);
  for (const executablePath of files) {
    if (await starts(executablePath, { executablePath })) return { executablePath };
  }
  return undefined;
}

/** Playwright's own download. Its exit code says less than a launch does. */
async function byPlaywright(): Promise<LaunchOptions | undefined> {
  say('fetching the one that Playwright brings');
  await runFile(toolFile('playwright'), ['install', '--only-shell', 'chromium'], {
    output: 'stderr',
    limitMs: 300_000,
  });
  return (await starts('the one that Playwright brings', {})) ? {} : undefined;
}

/** Debian's package, where we are root on such a system. */
async function byPackageManager(): Promise<LaunchOptions | undefined> {
  const debian =
    process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');
  if (!debian) {
    say('no package manager to ask (Debian as root only)');
    return undefined;
  }
  say('installing the system package chromium');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: ['ignore', 2, 2] as const, timeout: 300_000 };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const { status, error } = spawnSync('apt-get', args, { ...options, stdio: [...options.stdio] });
    if (status !== 0) say(`apt-get ${args[0]} ended with ${status ?? error?.message}`);
  }
  return fromPath();
}

/**
 * Launch options of a Chromium that starts on this machine; decided once per run and kept in `SIDELIGHT_BROWSER`.
 * @throws Error that says how to get one, when every way failed
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
  const found = (await fromPath()) ?? (await byPlaywright()) ?? (await byPackageManager());
  if (found) return found;
  throw new Error(
    'no Chromium starts here: run "npx playwright install --with-deps chromium", or set SIDELIGHT_CHROMIUM to one',
  );
}
