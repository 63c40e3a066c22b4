// The built command and the built shell together: what a person at a terminal sees of each way a window can come or not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const COMMAND = path.join(ROOT, 'dist', 'program', 'host', 'cli.js');
const FLAGS = ['--ephemeral', '--sidecar-port', '0', '--app-port', '0', '--console-port', '0'];

interface Command {
  readonly output: () => string;
  /** Resolves when it has written this; rejects when it ends before. */
  written(text: string): Promise<void>;
  /** Sends a signal; default SIGTERM. */
  kill(signal?: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

let scratch = '';
let running: Command[] = [];
beforeEach(() => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-starter-'));
  running = [];
});
afterEach(async () => {
  for (const command of running) command.kill();
  await Promise.all(running.map(({ ended }) => ended));
  fs.rmSync(scratch, { recursive: true, force: true });
});

/** Starts the command with a binary that behaves like this. */
function start(behaviour: string, flags: readonly string[] = FLAGS): Command {
  const here = (name: string): string => path.join(import.meta.dirname, name);
  const binary = path.join(scratch, 'electron');
  const line = [process.execPath, '--import', here('electron-hook.ts'), here('fake-electron.ts')];
  fs.writeFileSync(binary, `#!/bin/sh\nexec ${line.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
    mode: 0o755,
  });
  const child = spawn(process.execPath, [COMMAND, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SIDELIGHT_ELECTRON: binary,
      SIDELIGHT_NO_BROWSER: '1',
      FAKE_ELECTRON: behaviour,
      FAKE_USER_DATA: scratch,
    },
  });
  const pieces: string[] = [];
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      pieces.push(piece);
      for (const look of looks) look();
    });
  }
  const output = (): string => pieces.join('');
  const ended = once(child, 'close').then(() => child.exitCode);
  const command: Command = {
    output,
    ended,
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    written: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (output().includes(text)) resolve();
        };
        looks.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended without "${text}":\n${output()}`)));
      }),
  };
  running.push(command);
  return command;
}

const sidecarIn = (output: string): string =>
  /Sidecar\s+(http:\S+)/.exec(output)?.[1] ?? 'no sidecar address';

/** The last thing that browser mode says. */
const BROWSER_MODE = 'Ctrl+C ends Sidelight';

async function healthOf(command: Command): Promise<number> {
  const answer = await fetch(`${sidecarIn(command.output())}/v1.0/healthz`);
  return answer.status;
}

// The stand-in for the binary is a shell script.
describe.skipIf(process.platform === 'win32')('npm start with an Electron binary', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'with a window prints all addresses, serves, and ends with the signal %s',
    async (signal) => {
      const command = start('window');
      await command.written('curl');
      expect(command.output()).toContain('Sidelight in a window of its own.');
      await expect.poll(() => healthOf(command)).toBe(204);
      command.kill(signal);
      expect(await command.ended).toBe(0);
      await expect(fetch(`${sidecarIn(command.output())}/v1.0/healthz`)).rejects.toThrow();
    },
  );

  test('beside a running window says so and ends with 0', async () => {
    const command = start('running');
    expect(await command.ended).toBe(0);
    expect(command.output()).toContain('running already');
  });

  test('falls back to the browser with the reason if the binary breaks', async () => {
    const command = start('broken');
    await command.written(BROWSER_MODE);
    expect(command.output()).toMatch(/in your browser, because .*133/);
    await expect.poll(() => healthOf(command)).toBe(204);
    command.kill();
    expect(await command.ended).toBe(0);
    expect(command.output()).toMatch(/\nSidelight has ended\. .+\.\n$/);
  });

  test("falls back to the browser with the reason if the window stays blank for 15 s, and the window's process ends", async () => {
    const command = start('blank');
    await command.written(BROWSER_MODE);
    expect(command.output()).toMatch(/in your browser, because .*15 s/);
    command.kill();
    expect(await command.ended).toBe(0);
  });

  test('an error that every way of starting would have is reported once, without a second attempt', async () => {
    const config = path.join(scratch, 'settings.yaml');
    fs.writeFileSync(config, 'delivery:\n  concurrency: none\n');
    const command = start('window', [...FLAGS, '--config', config]);
    expect(await command.ended).toBe(2);
    expect(command.output().match(/delivery\.concurrency/g)).toHaveLength(1);
    expect(command.output()).not.toContain('in your browser');
  });
});
