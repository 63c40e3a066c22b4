// Joins a browser's page to the built desktop shell: its files, its policy, its bridge.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { SHELL_LINES, type ShellAddresses, type ShellLine } from '../../core/contract/shell.ts';
import type { FromShell, ToShell } from './bridge-words.ts';

const HERE = import.meta.dirname;
const FLAGS = [
  '--ephemeral',
  '--sidecar-port',
  '0',
  '--app-port',
  '0',
  '--console-port',
  '0',
  '--log-level',
  'warn',
];

/** A secure origin, as the shell's scheme is one; nothing listens there, every request is answered by the shell. */
const ORIGIN = 'https://sidelight.test';

export interface BridgedPage {
  /** Resolves when the shell has reported the window to its starter: the page has sent its first message. */
  readonly ready: Promise<ShellAddresses>;
  /** Violations of the policy, errors of the page, and requests that went nowhere of ours. */
  readonly mishaps: string[];
  open(): Promise<void>;
  /**
   * Ends the shell as a signal does.
   * @returns its exit code
   */
  end(): Promise<number | null>;
}

/** Starts the shell and prepares the page; `open` loads it. */
export async function bridgePage(page: Page): Promise<BridgedPage> {
  const userData = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-bridge-'));
  const hook = path.join(HERE, 'electron-hook.ts');
  const child = fork(path.join(HERE, 'bridge-shell.ts'), [userData, ...FLAGS], {
    execArgv: ['--import', hook],
    env: { ...process.env, [SHELL_LINES]: '1' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const answers = new Map<number, (words: FromShell & { kind: 'page' }) => void>();
  const mishaps: string[] = [];
  const window = new Promise<void>((resolve) => {
    let last = Promise.resolve();
    child.on('message', (words: FromShell) => {
      if (words.kind === 'window') resolve();
      else if (words.kind === 'page') answers.get(words.id)?.(words);
      // One after another: texts are ordered.
      else
        last = last
          .then(() => tell(page, words.text))
          .catch((error: unknown) => void mishaps.push(String(error)));
    });
  });
  const dead = ended.then(() => {
    throw new Error('the shell ended before its window was there');
  });
  await Promise.race([window, dead]);
  dead.catch(() => undefined);

  watch(page, mishaps);
  await servePage(page, child, answers, mishaps);
  await page.exposeFunction('sendToShell', (text: string) => say(child, { kind: 'text', text }));
  await page.exposeFunction('policyBroken', (what: string) => void mishaps.push(`policy: ${what}`));
  await page.addInitScript(installBridge);
  return {
    ready: addressesFrom(child),
    mishaps,
    open: async () => {
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame()) say(child, { kind: 'loaded' });
      });
      await page.goto(`${ORIGIN}/index.html`);
    },
    async end() {
      // Not by `disconnect`: Node waits for the rest of a message that is half read and then never closes the channel.
      say(child, { kind: 'end' });
      await ended;
      fs.rmSync(userData, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

/** A page may still speak while the shell ends: its channel may close before the page's own process hears that. */
function say(child: ChildProcess, words: ToShell): void {
  if (!child.connected) return;
  child.send(words, (error) => {
    if (error !== null && !hasEnded(error)) throw error;
  });
}

function hasEnded(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_IPC_CHANNEL_CLOSED');
}

/** Runs in the page before its scripts: what the preload exposes, with the binding in place of the process border. */
function installBridge(): void {
  const takers = new Set<(text: string) => void>();
  Object.assign(window, {
    sidelight: {
      send: (text: string) => void Reflect.get(window, 'sendToShell')(text),
      onText: (take: (text: string) => void) => {
        takers.add(take);
        return () => void takers.delete(take);
      },
    },
    textFromShell: (text: string) => {
      for (const take of takers) take(text);
    },
  });
  document.addEventListener('securitypolicyviolation', (event) => {
    Reflect.get(window, 'policyBroken')(`${event.violatedDirective} ${event.blockedURI}`);
  });
}

/** A text for a page that is being left is lost, as in reality; the next page asks for everything again. */
async function tell(page: Page, text: string): Promise<void> {
  try {
    await page.evaluate((words) => Reflect.get(window, 'textFromShell')?.(words), text);
  } catch (error) {
    const isLeft = page.isClosed() || (error instanceof Error && /context was destroyed/.test(error.message));
    if (!isLeft) throw error;
  }
}

function watch(page: Page, mishaps: string[]): void {
  page.on('pageerror', (error) => void mishaps.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') mishaps.push(`console: ${message.text()}`);
  });
}

async function servePage(
  page: Page,
  child: ChildProcess,
  answers: Map<number, (words: FromShell & { kind: 'page' }) => void>,
  mishaps: string[],
): Promise<void> {
  let lastId = 0;
  await page.route('**/*', async (route, request) => {
    if (!request.url().startsWith(`${ORIGIN}/`)) {
      mishaps.push(`request: ${request.url()}`);
      return route.abort();
    }
    lastId += 1;
    const id = lastId;
    const answer = await new Promise<FromShell & { kind: 'page' }>((resolve) => {
      answers.set(id, resolve);
      const url = request.url().replace(ORIGIN, 'app://sidelight');
      say(child, { kind: 'page', id, url, method: request.method() });
    });
    answers.delete(id);
    await route.fulfill({
      status: answer.status,
      headers: { ...answer.headers },
      body: Buffer.from(answer.body, 'base64'),
    });
  });
}

async function addressesFrom(child: ChildProcess): Promise<ShellAddresses> {
  if (child.stdout === null) throw new Error('the shell has no stdout');
  for await (const text of createInterface({ input: child.stdout })) {
    const line: ShellLine = JSON.parse(text);
    if (line.event === 'window') return line.ready;
    throw new Error(`the shell said ${text}`);
  }
  throw new Error('the shell said nothing');
}
