// Runs the programs of dependencies as JavaScript under this Node: no shell, the same on every platform.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
/** The product's program, built and published. */
export const PROGRAM = path.join(ROOT, 'dist', 'program', 'host', 'cli.js');

export interface ToolRun {
  /** Variables that are added to this environment; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Where output goes. `show`: the terminal. `stderr`: the terminal, all on stderr. `capture`: returned.
   * Default `show`.
   */
  readonly output?: 'show' | 'stderr' | 'capture';
  /** Time limit in milliseconds, after which the program is ended. Default 10 minutes. */
  readonly limitMs?: number;
}

export interface ToolEnd {
  /** Exit code; 128 and more if a signal or the limit ended it. */
  readonly code: number;
  /** Output of the tool, if it was captured. */
  readonly output: string;
}

/** Projects of playwright.config.ts that are journeys and need only a browser. */
export const JOURNEYS: readonly string[] = ['apart', 'bridge', 'browser'];

const STOP_GRACE_MS = 5_000;

/**
 * File of a dependency's program.
 * @throws Error if the package or the program is missing
 */
export function toolFile(packageName: string, binName = packageName): string {
  const folder = path.join(ROOT, 'node_modules', packageName);
  const text = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
  const { bin }: { bin?: string | Record<string, string> } = JSON.parse(text);
  const file = typeof bin === 'string' ? bin : bin?.[binName];
  if (file === undefined) throw new Error(`${packageName} brings no program named ${binName}`);
  return path.join(folder, file);
}

/**
 * Runs a JavaScript or TypeScript file under this Node to its end. A signal that ends this process ends it first.
 * @throws Error if it could not be started
 */
export function runFile(file: string, args: readonly string[], run: ToolRun = {}): Promise<ToolEnd> {
  const output = run.output ?? 'show';
  const stdio = { show: 'inherit', stderr: ['inherit', 2, 2], capture: ['ignore', 'pipe', 'pipe'] } as const;
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...run.env },
    stdio: stdio[output] === 'inherit' ? 'inherit' : [...stdio[output]],
  });
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr?.on('data', (piece: Buffer) => pieces.push(piece));

  const stop = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS).unref();
  };
  const limit = setTimeout(stop, run.limitMs ?? 600_000);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);

  return new Promise<ToolEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const text = Buffer.concat(pieces).toString('utf8');
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output: text });
    });
  }).finally(() => {
    clearTimeout(limit);
    for (const signal of signals) process.off(signal, stop);
  });
}

/** Runs a program of a dependency, `typescript/tsc` or just `vite`, to its end. */
export function runTool(name: string, args: readonly string[], run: ToolRun = {}): Promise<ToolEnd> {
  const at = name.lastIndexOf('/');
  const known = fs.existsSync(path.join(ROOT, 'node_modules', name, 'package.json'));
  const file = known || at < 0 ? toolFile(name) : toolFile(name.slice(0, at), name.slice(at + 1));
  return runFile(file, args, run);
}

/** Runs tests of playwright.config.ts. */
export function runPlaywright(args: readonly string[], run: ToolRun = {}): Promise<ToolEnd> {
  // Node reads TypeScript itself. Playwright would translate every file once more before the first journey
  // starts.
  const env = { PW_DISABLE_TS_ESM: '1', ...run.env };
  return runTool('@playwright/test/playwright', ['test', ...args], { ...run, env });
}

/** Seconds with one decimal, for lines about the duration of a step. */
export const seconds = (fromMs: number): string => `${((performance.now() - fromMs) / 1000).toFixed(1)} s`;
