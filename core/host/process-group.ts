/**
 * A user's program with all processes that it starts, such as `npm run start` or `go run .`; they are
 * signalled and ended together.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../contract/error-text.ts';
import { missingProgram, notStartable, programNameTooLong } from './missing-program.ts';
import { endAtExit } from './end-at-exit.ts';

export interface ProcessGroup {
  readonly pid: number | undefined;
  /**
   * Exit status of the command; 128 plus the signal's number if a signal ended it. Rejects if it cannot be
   * started.
   */
  readonly status: Promise<number>;
  /** Sends the signal to every process of the group. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the remaining processes: SIGTERM, after `graceMs` SIGKILL. */
  end(graceMs: number): Promise<void>;
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
const POLL_INTERVAL_MS = 50;
/** Whether the system has process groups. Windows has none: there only the program is signalled. */
const HAS_GROUPS = process.platform !== 'win32';

/** Starts the program in a group of its own, with this process's stdin, stdout and stderr. */
export function startGroup(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProcessGroup {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...env }, detached: HAS_GROUPS });
  const { pid } = child;
  const status = new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new Error(`the command could not be started: ${whyNot(error, program, env['PATH'])}`, {
          cause: error,
        }),
      ),
    );
    child.once('exit', (code, signal) =>
      resolve(code ?? (signal === null ? 1 : 128 + (SIGNAL_NUMBERS[signal] ?? 0))),
    );
  });
  const send = (signal: NodeJS.Signals | 0): boolean => {
    if (!HAS_GROUPS || pid === undefined) return signal === 0 ? isRunning() : child.kill(signal);
    return signalGroup(pid, signal);
  };
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null && pid !== undefined;
  const forget = endAtExit(() => void send('SIGTERM'));
  return {
    pid,
    status,
    signal: (signal) => void send(signal),
    end: async (graceMs) => {
      if (send('SIGTERM')) {
        const until = performance.now() + graceMs;
        while (send(0) && performance.now() < until) await sleep(POLL_INTERVAL_MS);
        send('SIGKILL');
      }
      forget();
    },
  };
}

function whyNot(error: Error, program: string, searched: string | undefined): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EACCES') return notStartable(program);
  if (code === 'ENAMETOOLONG') return programNameTooLong(program);
  return code === 'ENOENT' ? missingProgram(program, process.cwd(), searched) : error.message;
}

/** Sends a signal to the group. False: no process of it is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}
