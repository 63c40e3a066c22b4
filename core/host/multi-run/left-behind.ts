/**
 * Ends processes of an earlier run of the same file that stayed alive because Sidelight itself was killed.
 */
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstOf } from '../../contract/list-text.ts';
import { dataDirsOf } from '../data-dir.ts';
import type { ProductOptions } from '../options.ts';
import { runningGroups, signalGroup } from '../process-group.ts';
import { leftBehindIn } from '../running-file.ts';
import type { RunningProcess } from '../running-file.ts';

/** Longest time that the processes may take to end after each of the two signals. */
const GRACE_MS = 5_000;
const POLL_INTERVAL_MS = 50;
/** Maximum number of processes that one line names. */
const MAX_NAMED = 20;

export interface LeftBehindPorts {
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Asks the user; true: the processes may be ended. */
  readonly agrees: (question: string) => Promise<boolean>;
  /** Time for each of the two signals, in ms; default 5 s. */
  readonly graceMs?: number;
}

/**
 * Lists the processes of the folder that this run will use, asks, and ends each with all that it started.
 * Such processes hold the ports that this run needs, or publish beside it. If it is not certain that they are the same
 * processes, the user is not asked and nothing is ended.
 */
export async function endLeftBehind(
  options: Pick<ProductOptions, 'mode' | 'apps' | 'runName' | 'dataDir' | 'ephemeral' | 'env'>,
  { print, agrees, graceMs = GRACE_MS }: LeftBehindPorts,
): Promise<void> {
  const [folder] = options.ephemeral ? [] : dataDirsOf(options);
  const left = stillRunning(folder === undefined ? [] : leftBehindIn(folder));
  if (left.length === 0) return;
  print(`An earlier run of this file was killed, and its apps are still running: ${namesOf(left)}.`);
  if (!(await agrees('End them before this run starts? [Y/n] '))) return;
  await endGroups(new Set(left.map(groupOf)), graceMs);
  const still = stillRunning(left);
  const gone = left.filter((one) => !still.includes(one));
  if (gone.length > 0) print(`Ended: ${namesOf(gone)}.`);
  if (still.length > 0)
    print(
      `Not ended: ${namesOf(still)}. Sidelight starts anyway; a port that one of them holds is still taken.`,
    );
}

function namesOf(processes: readonly RunningProcess[]): string {
  const names = processes.map(({ appId, pid }) => `${appId} (pid ${pid})`);
  return firstOf(names, MAX_NAMED);
}

/** A command has a group of its own. */
function groupOf({ pid, group = pid }: RunningProcess): number {
  return group;
}

function stillRunning(processes: readonly RunningProcess[]): readonly RunningProcess[] {
  const running = runningGroups(processes.map(groupOf));
  return processes.filter((one) => running.has(groupOf(one)));
}

/** Asks the groups to end, then kills them. A process in a blocked system call survives both for a while. */
async function endGroups(groups: ReadonlySet<number>, graceMs: number): Promise<void> {
  let left = groups;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const group of left) signalGroup(group, signal);
    const until = performance.now() + graceMs;
    for (;;) {
      left = runningGroups(left);
      if (left.size === 0) return;
      if (performance.now() >= until) break;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

/** Terminal on which the user is asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * Asks on the terminal; Enter agrees. Without a terminal no user can answer, and a script expects its run, so the processes are ended.
 * Rejects if the user breaks off the question (Ctrl+C, Ctrl+D).
 */
export async function askOnTerminal(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (input.isTTY !== true || output.isTTY !== true) return true;
  const lines = createInterface({ input, output });
  try {
    return await new Promise<boolean>((resolve, reject) => {
      lines.once('close', () => reject(new Error('nothing is started: the question was not answered')));
      lines.question(question).then((answer) => resolve(!/^n/i.test(answer.trim())), reject);
    });
  } finally {
    lines.close();
  }
}
