/**
 * A user's program with all processes that it starts, such as `npm run start` or `go run .`; they are
 * signalled and ended together.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText, hasCode } from '../contract/error-text.ts';
import { whyNotStarted } from './missing-program.ts';
import type { WantedProgram } from './missing-program.ts';
import { endAtExit } from './end-at-exit.ts';
import { passOutput } from './passed-output.ts';
import type { OnLine } from './passed-output.ts';
import { GROUP, STATE, STATES_OF_THE_ENDED, tableOf } from './process-start.ts';

export interface ProcessGroup {
  readonly pid: number | undefined;
  /**
   * Exit status of the command; 128 plus the signal's number if a signal ended it. Rejects if it cannot be
   * started.
   */
  readonly status: Promise<number>;
  /** Signal that ended the command; undefined: it ended by itself, or runs. */
  readonly endedBy: () => NodeJS.Signals | undefined;
  /** Whether a process of it runs. */
  runs(): boolean;
  /** Sends the signal to every process of the group. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the remaining processes: SIGTERM, after `graceMs` SIGKILL. */
  end(graceMs: number): Promise<void>;
}

const POLL_INTERVAL_MS = 50;
/** Whether the system has process groups. Windows has none: there only the program is signalled. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Starts the program in a group of its own, with this process's stdin, stdout and stderr.
 * @param onLine gets each line of the output, which is passed on; undefined: the program writes to the streams itself
 */
export function startGroup(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onLine?: OnLine,
): ProcessGroup {
  const wanted = { command: [program, ...args], folder: process.cwd(), env, searched: env['PATH'] };
  const child = spawned(wanted, onLine !== undefined);
  const { pid } = child;
  const passed = onLine === undefined ? undefined : passOutput(child, onLine);
  const status = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error, wanted)));
    child.once('exit', (code, signal) => {
      const ended = code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
      if (passed === undefined) resolve(ended);
      else void passed().then(() => resolve(ended));
    });
  });
  const group = HAS_GROUPS ? pid : undefined;
  const send = (signal: NodeJS.Signals): boolean =>
    group === undefined ? child.kill(signal) : signalGroup(group, signal);
  const runs = (): boolean =>
    group === undefined
      ? child.exitCode === null && child.signalCode === null && pid !== undefined
      : groupRuns(group);
  const forget = endAtExit(() => void send('SIGTERM'));
  return {
    pid,
    status,
    endedBy: () => child.signalCode ?? undefined,
    runs,
    signal: (signal) => void send(signal),
    end: async (graceMs) => {
      if (send('SIGTERM')) {
        const until = performance.now() + graceMs;
        while (runs() && performance.now() < until) await sleep(POLL_INTERVAL_MS);
        send('SIGKILL');
      }
      forget();
    },
  };
}

/** Starts the program. Throws the sentence for a program that the system refuses at once. */
function spawned(wanted: WantedProgram, isRead: boolean): ChildProcess {
  const [program = '', ...args] = wanted.command;
  try {
    const output = isRead ? 'pipe' : 'inherit';
    return spawn(program, args, {
      stdio: ['inherit', output, output],
      env: { ...wanted.env },
      detached: HAS_GROUPS,
    });
  } catch (error) {
    throw notStarted(error, wanted);
  }
}

function notStarted(error: unknown, wanted: WantedProgram): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = whyNotStarted(code, wanted) ?? errorText(error);
  return new Error(`the command could not be started: ${why}`, { cause: error });
}

/** Sends a signal to every process of the group. False: the group is empty. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // The group is alive if its processes may not be signalled.
    if (hasCode(error, 'EPERM')) return true;
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/**
 * Whether a process of the group still runs. A process that has ended, but was not reaped by its parent, does
 * not count: a signal reaches it, and a wait for it would never end. Where processes are not listed, it counts.
 * @param listedIn folder with an entry for each process, on Linux
 */
export function groupRuns(group: number, listedIn = '/proc'): boolean {
  return runningGroups([group], listedIn).has(group);
}

/** The groups in which a process still runs. The processes are listed once for all groups, because there may be hundreds of both. */
export function runningGroups(groups: Iterable<number>, listedIn = '/proc'): ReadonlySet<number> {
  const reached = new Set([...groups].filter((group) => signalGroup(group, 0)));
  if (reached.size === 0 || process.platform !== 'linux') return reached;
  const pids = pidsIn(listedIn);
  if (pids.length === 0) return reached;
  const tables = pids.map((pid) => tableOf(pid));
  const running = tables.filter((table) => !STATES_OF_THE_ENDED.has(table[STATE] ?? ''));
  const groupsOfAll = new Set(running.map((table) => Number(table[GROUP])));
  return new Set([...reached].filter((group) => groupsOfAll.has(group)));
}

/** Processes of the group that still run; [] where processes are not listed. */
export function membersOf(group: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return pidsIn('/proc')
    .filter((pid) => isRunningIn(pid, group))
    .map(Number);
}

/** Numbers of the processes in the folder; [] = it cannot be read, or was not filled, as in some containers. */
function pidsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return [];
  }
}

function isRunningIn(pid: string, group: number): boolean {
  const table = tableOf(pid);
  return Number(table[GROUP]) === group && !STATES_OF_THE_ENDED.has(table[STATE] ?? '');
}
