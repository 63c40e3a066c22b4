// Runs the main process as it is, with the real host, under the stand-in, and lets a test be its page and its starter.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { SHELL_LINES, type ShellLine } from '../../core/contract/shell.ts';
import type { Bridge } from './preload.ts';

type StandIn = typeof import('./stand-in.ts');

export interface Shell {
  readonly electron: StandIn;
  /** Lines that the starter has received so far. */
  readonly lines: ShellLine[];
  /** Everything else the process wrote. */
  readonly complaints: string[];
  /** Resolves with the starter's first line of this kind. */
  line<E extends ShellLine['event']>(event: E): Promise<Extract<ShellLine, { event: E }>>;
  /** Runs the preload in the loaded page. */
  openPage(preload: string): Promise<Bridge>;
  /** Takes back everything that the start did to this process. */
  putBack(): void;
}

const STREAMS = ['stdout', 'stderr'] as const;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Imports main.ts again.
 * @param prepare runs before it, with the stand-in that it will see
 * @param starter whether a program reads our lines
 */
export async function startShell(
  flags: readonly string[],
  { prepare, starter = true }: { prepare?: (electron: StandIn) => void; starter?: boolean } = {},
): Promise<Shell> {
  vi.resetModules();
  const electron = await import('./stand-in.ts');
  const { runPreload } = await import('./preload.ts');
  const userData = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-shell-'));
  electron.world.userData = userData;
  prepare?.(electron);

  const lines: ShellLine[] = [];
  const complaints: string[] = [];
  const waiting = new Set<() => void>();
  const { argv } = process;
  const starterBefore = process.env[SHELL_LINES];
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const errorsBefore = new Map(STREAMS.map((name) => [name, process[name].listeners('error')]));
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...more: unknown[]) => {
    for (const word of String(text).split('\n').filter(Boolean)) lines.push(JSON.parse(word));
    for (const look of waiting) look();
    for (const written of more) if (typeof written === 'function') written();
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    complaints.push(String(text).trimEnd());
    return true;
  });

  process.argv = ['electron', 'dist/electron/main.js', ...flags];
  if (starter) process.env[SHELL_LINES] = '1';
  else delete process.env[SHELL_LINES];
  await import('../../electron/main.ts');

  /** An end that nobody waits for is a failure with a reason, not a test that hangs. */
  const orEnd = async <T>(wanted: Promise<T>): Promise<T> => {
    const end = electron.when('app.exit').then(() => {
      throw new Error(`the shell ended: ${JSON.stringify(lines)} ${complaints.join(' ')}`);
    });
    return Promise.race([wanted, end]);
  };
  const lineOf = <E extends ShellLine['event']>(event: E): Promise<Extract<ShellLine, { event: E }>> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.find((line) => isOf(line, event));
        if (found === undefined || !isOf(found, event)) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  return {
    electron,
    lines,
    complaints,
    line: (event) => orEnd(lineOf(event)),
    async openPage(preload) {
      await orEnd(electron.when('page committed'));
      return runPreload(preload);
    },
    putBack() {
      process.argv = argv;
      if (starterBefore === undefined) delete process.env[SHELL_LINES];
      else process.env[SHELL_LINES] = starterBefore;
      out.mockRestore();
      err.mockRestore();
      for (const signal of SIGNALS) {
        for (const listener of process.listeners(signal)) {
          if (before.get(signal)?.includes(listener) !== true) process.removeListener(signal, listener);
        }
      }
      for (const name of STREAMS) {
        for (const listener of process[name].listeners('error')) {
          if (errorsBefore.get(name)?.includes(listener) === true) continue;
          // Emitters type their listeners as bare functions; these are the ones that main.ts added.
          process[name].off('error', (...given) => Reflect.apply(listener, undefined, given));
        }
      }
      fs.rmSync(userData, { recursive: true, force: true });
    },
  };
}

function isOf<E extends ShellLine['event']>(
  line: ShellLine,
  event: E,
): line is Extract<ShellLine, { event: E }> {
  return line.event === event;
}
