/** The desktop window: starts Electron where a binary and a display exist, and says why not otherwise. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SHELL_LINES, SHELL_WINDOW_MS } from '../contract/shell.ts';
import type { ShellLine } from '../contract/shell.ts';
import { welcome } from './ready.ts';

type Shell = ChildProcessByStdio<null, Readable, null>;

export type DesktopResult =
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'no-window'; readonly reason: string };

/** Runs the window until it is closed, or says why there is none; then nothing of it is left running. */
export async function startDesktop(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<DesktopResult> {
  const binary = env['SIDELIGHT_ELECTRON'];
  if (binary === undefined) return noWindow(env['SIDELIGHT_NO_ELECTRON'] ?? 'no Electron binary was found');
  const main = join(import.meta.dirname, '..', '..', 'electron', 'main.js');
  if (!existsSync(main)) return noWindow('the desktop part is not built');
  const child = spawn(binary, [main, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, [SHELL_LINES]: '1' },
  });
  const over = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
  const stopForwarding = forwardSignals(child);
  try {
    return await untilClosed(child, over);
  } finally {
    stopForwarding();
  }
}

async function untilClosed(child: Shell, over: Promise<number>): Promise<DesktopResult> {
  const line = await firstLine(child.stdout, over, SHELL_WINDOW_MS);
  switch (line.event) {
    case 'window':
      process.stdout.write(
        `\nSidelight in a window of its own.\n\n${welcome(line.ready, line.notes, undefined)}\n`,
      );
      return { kind: 'ended', status: await over };
    case 'running':
      process.stdout.write('Sidelight is running already; its window was brought to the front.\n');
      return { kind: 'ended', status: await over };
    case 'refused':
      process.stderr.write(`sidelight: ${line.text}\n`);
      await over;
      return { kind: 'ended', status: line.code };
    case 'failed':
      child.kill('SIGKILL');
      await over;
      return noWindow(line.reason);
  }
}

function noWindow(reason: string): DesktopResult {
  return { kind: 'no-window', reason };
}

/** The shell's first line; an end without one, or silence, counts as failed. */
function firstLine(
  stdout: NodeJS.ReadableStream,
  over: Promise<number>,
  limitMs: number,
): Promise<ShellLine> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdout });
    const timer = setTimeout(
      () => resolve({ event: 'failed', reason: `Electron showed no window within ${limitMs / 1000} s` }),
      limitMs,
    );
    lines.on('line', (text) => {
      const line = readLine(text);
      if (line !== undefined) settle(line);
    });
    void over.then((code) =>
      settle({ event: 'failed', reason: `Electron ended with status ${code} before a window was shown` }),
    );
    const settle = (line: ShellLine): void => {
      clearTimeout(timer);
      resolve(line);
    };
  });
}

function readLine(text: string): ShellLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'event' in value ? (value as ShellLine) : undefined;
  } catch (error) {
    // Chromium prints lines of its own on the same stream.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Passes signals on to the window's process; gives back how to stop that. */
function forwardSignals(child: Shell): () => void {
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  return () => {
    process.off('SIGINT', pass);
    process.off('SIGTERM', pass);
  };
}
