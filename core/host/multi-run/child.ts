/**
 * One process of an app: started in its own group, read line by line, and ended with all processes that it
 * started.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { missingProgram, notStartable, programNameTooLong } from '../missing-program.ts';
import type { StartProgram } from '../../testing/app-process.ts';
import { endAtExit } from '../end-at-exit.ts';
import { groupRuns, signalGroup } from '../process-group.ts';
import { OutputLines } from './output-lines.ts';
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

/** Wait for the output after the end, because a process that it started may keep the output open for ever. */
const DRAIN_MS = 200;

/** Starts a process. It never throws: a command that cannot be started has ended. */
export function startChild(spec: ChildSpec): Child {
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
    return followed(child, spec);
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

function followed(child: ChildProcess, spec: ChildSpec): Child {
  for (const stream of ['stdout', 'stderr'] as const) {
    const lines = new OutputLines((line) => spec.onLine(stream, line));
    child[stream]?.on('data', (bytes: Buffer) => lines.write(bytes));
    child[stream]?.on('end', () => lines.end());
  }
  const { pid } = child;
  let isOver = false;
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
      const late = setTimeout(() => resolve(ending), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(late);
        resolve(ending);
      });
    });
  });
  const isWindows = spec.platform === 'win32';
  const signal: Child['signal'] = (which) => {
    if (pid === undefined) return;
    if (isWindows) endTree(pid, which === 'SIGKILL');
    else signalGroup(pid, which);
  };
  const forget = endAtExit(() => signal(spec.atExit ?? 'SIGTERM'));
  const lives = (): boolean => {
    const isLeft = pid !== undefined && (!isOver || (!isWindows && groupRuns(pid)));
    if (!isLeft) forget();
    return isLeft;
  };
  void ended.then(lives);
  return { pid, ended, signal, lives };
}

function notStarted(reason: string): Child {
  return {
    pid: undefined,
    ended: Promise.resolve({ kind: 'not started', reason }),
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
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return existsSync(spec.folder) ? notFound(spec) : `the folder ${spec.folder} is gone`;
  if (code === 'EACCES') return notStartable(spec.command[0] ?? '');
  if (code === 'ENAMETOOLONG') return programNameTooLong(spec.command[0] ?? '');
  return error.message;
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
