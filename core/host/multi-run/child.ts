/**
 * One process of an app: started in its own group, read line by line, and ended with all processes that it
 * started.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { missingProgram, whyNotStarted } from '../missing-program.ts';
import type { StartProgram } from '../../testing/app-process.ts';
import { endAtExit } from '../end-at-exit.ts';
import { groupRuns, signalGroup } from '../process-group.ts';
import { OutputLines } from './output-lines.ts';
import { OutputTurns } from './output-turns.ts';
import { valueOf, windowsCommand } from './windows-command.ts';
import type { WindowsCommand } from './windows-command.ts';

export type Stream = 'stdout' | 'stderr';

export interface ChildSpec {
  readonly command: readonly string[];
  /** Absolute folder of the command. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly onLine: (stream: Stream, line: string) => void;
  /** Signal for the process and all that it started when this process ends. Default: SIGTERM. */
  readonly atExit?: 'SIGKILL';
}

/** End of the process. A signal counts as 128 and its number. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number; readonly signal?: string }
  /** Why the program could not be started. */
  | { readonly kind: 'not started'; readonly reason: string };

export interface Child {
  readonly pid: number | undefined;
  /** Resolves when the process has ended and its output is read. Never rejects. */
  readonly ended: Promise<Ending>;
  /**
   * Sends a signal to the process and all that it started; SIGTERM asks them to end, `SIGKILL` forces them.
   */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Whether the process, or one that it started, is alive. */
  lives(): boolean;
}

/** A process whose output is read here. */
export interface ReadChild extends Child {
  /** Resolves when everything that the process has written so far is read. Never rejects. */
  outputSoFar(): Promise<void>;
}

/** Wait for the end of the output after the end of the process: one that it started may keep the output open for ever. */
const DRAIN_MS = 200;

/** Starts a process. It never throws: a command that cannot be started has ended. */
export function startChild(spec: ChildSpec): ReadChild {
  const command = commandOf(spec);
  if (typeof command === 'string') return notStarted(command);
  const isWindows = spec.platform === 'win32';
  try {
    const child = spawn(command.program, [...command.args], {
      cwd: spec.folder,
      env: { ...spec.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that one signal reaches every process that the command starts.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: command.verbatim,
    });
    return childOf(child, spec);
  } catch (error) {
    return notStarted(whyNot(error, spec));
  }
}

/** Starts the program of a scenario on this platform. A scenario that is cut short leaves nothing behind: no later run would end it. */
export const startProgram: StartProgram = ({ onLine, ...program }) =>
  startChild({
    ...program,
    platform: process.platform,
    onLine: (_stream, line) => onLine(line),
    atExit: 'SIGKILL',
  });

/** Turns of the output of all processes. */
const turns = new OutputTurns();

function childOf(child: ChildProcess, spec: ChildSpec): ReadChild {
  const outputs = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const from = child[stream];
    return from ? turns.follow(from, new OutputLines((line) => spec.onLine(stream, line))) : [];
  });
  const { pid } = child;
  let isOver = false;
  const outputSoFar: ReadChild['outputSoFar'] = async () => {
    await Promise.all(outputs.map((output) => output.soFar()));
  };
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => {
      isOver = true;
      resolve({ kind: 'not started', reason: whyNot(error, spec) });
    });
    child.once('exit', (code, signal) => {
      isOver = true;
      const ending: Ending = {
        kind: 'exited',
        code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        ...(signal === null ? {} : { signal }),
      };
      // A process that it started and that left its group, such as the daemon of a build tool, may keep the
      // output open for ever. It must not keep this process alive.
      for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
      const late = setTimeout(() => {
        void outputSoFar().then(() => resolve(ending));
      }, DRAIN_MS);
      void Promise.all(outputs.map((output) => output.whole)).then(() => {
        clearTimeout(late);
        resolve(ending);
      });
    });
  });
  const isWindows = spec.platform === 'win32';
  // A group that is gone stays gone: the system gives its number to a later one, which must get no signal.
  let isGone = pid === undefined;
  const lives = (): boolean => {
    if (!isOver) return pid !== undefined;
    isGone ||= isWindows || pid === undefined || !signalGroup(pid, 0);
    const isLeft = !isGone && pid !== undefined && groupRuns(pid);
    if (!isLeft) forget();
    return isLeft;
  };
  const signal: Child['signal'] = (which) => {
    if (pid === undefined || !lives()) return;
    if (isWindows) endTree(pid, which === 'SIGKILL');
    else signalGroup(pid, which);
  };
  const forget = endAtExit(() => signal(spec.atExit ?? 'SIGTERM'));
  void ended.then(lives);
  return { pid, ended, outputSoFar, signal, lives };
}

function notStarted(reason: string): ReadChild {
  return {
    pid: undefined,
    ended: Promise.resolve({ kind: 'not started', reason }),
    outputSoFar: () => Promise.resolve(),
    signal: () => undefined,
    lives: () => false,
  };
}

/** The program and its arguments; a text says why there is none. */
function commandOf(spec: ChildSpec): WindowsCommand | string {
  const [program = '', ...args] = spec.command;
  if (spec.platform !== 'win32') return { program, args, verbatim: false };
  const { folder, env } = spec;
  return windowsCommand(spec.command, { folder, env, exists: existsSync }) ?? notFound(spec);
}

function whyNot(error: unknown, spec: ChildSpec): string {
  if (!(error instanceof Error)) return String(error);
  const { command, folder, env } = spec;
  const wanted = { command, folder, env, searched: valueOf(env, 'PATH') };
  return ('code' in error ? whyNotStarted(error.code, wanted) : undefined) ?? error.message;
}

function notFound({ command, env, folder }: ChildSpec): string {
  return missingProgram(command[0] ?? '', folder, valueOf(env, 'PATH'));
}

function endTree(pid: number, isForced: boolean): void {
  const args = ['/PID', String(pid), '/T', ...(isForced ? ['/F'] : [])];
  // A process that is gone already is no failure. Any other failure shows when the process stays alive and is
  // killed.
  spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).once('error', () => undefined);
}
