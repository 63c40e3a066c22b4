/** The desktop window: starts Electron if a binary and a display exist, and otherwise says why not. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SHELL_LINES, SHELL_WINDOW_MS } from '../contract/shell.ts';
import { welcome } from './ready.ts';
import { firstLine } from './shell-lines.ts';
import { onSignals } from './signals.ts';

type Shell = ChildProcessByStdio<null, Readable, null>;

export type DesktopResult =
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'no-window'; readonly reason: string };

/** Runs the window until it is closed, or returns why there is none; then no process of it stays. */
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

/** Passes signals on to the window's process; returns the function that stops this. */
function forwardSignals(child: Shell): () => void {
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  return onSignals(pass);
}
