/** Finds when a process was started, so that a reused process number is not mistaken for it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCode } from '../contract/error-text.ts';

/** Names the present boot of the machine. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** Ticks of the kernel's clock per second, on every Linux that Node runs on. */
const TICKS = 100;
/**
 * Tolerance for two readings of one process, which differ by the rounding and corrections of the kernel's
 * clock.
 */
const SAME_MS = 5_000;

/**
 * Start of a process in milliseconds since 1970; undefined: there is no such process, or the system does not
 * say.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    return platform === 'linux' ? fromTables(pid) : platform === 'darwin' ? fromList(pid) : undefined;
  } catch (error) {
    // For a process that is gone, both ways fail with a code or a status.
    if (!(error instanceof Error) || !('code' in error || 'status' in error)) throw error;
    return undefined;
  }
}

/**
 * Birth of a process as the kernel counts it: the boot of the machine, and the ticks from there. Unlike the start it stays the same when the
 * time of day is set. Undefined: there is no such process, or the system does not say.
 */
export function processBirth(pid: number): string | undefined {
  const ticks = tableOf(pid)[START];
  try {
    return ticks === undefined ? undefined : `${readFileSync(BOOT_ID, 'latin1').trim()}.${ticks}`;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return undefined;
  }
}

/**
 * Whether this process is alive and is the one that was started then.
 * @param startedMs undefined: only the number is compared
 * @param birth of the process that is meant; it replaces the start where the system says it
 */
export function isRunning(pid: number, startedMs: number | undefined, birth?: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it is alive. Its start shows whether it is the right
    // one.
    if (!hasCode(error, 'EPERM')) return false;
  }
  if (STATES_OF_THE_ENDED.has(tableOf(pid)[STATE] ?? '')) return false;
  const born = birth === undefined ? undefined : processBirth(pid);
  if (born !== undefined) return born === birth;
  const found = processStart(pid);
  return startedMs === undefined || found === undefined || Math.abs(found - startedMs) <= SAME_MS;
}

/** Indexes in a process's table. */
export const STATE = 0;
export const GROUP = 2;
const START = 19;
/** States of a process that has ended, but was not reaped by its parent. */
export const STATES_OF_THE_ENDED: ReadonlySet<string> = new Set(['Z', 'X']);

/** Table of a process on Linux, from its state on; [] = it is gone, or the system is another. */
export function tableOf(pid: number | string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return [];
  }
}

function fromTables(pid: number): number | undefined {
  const ticks = Number(tableOf(pid)[START]);
  const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
  const ms = boot * 1000 + (ticks * 1000) / TICKS;
  return Number.isFinite(ms) ? ms : undefined;
}

function fromList(pid: number): number | undefined {
  const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ms = Date.parse(text.trim());
  return Number.isNaN(ms) ? undefined : ms;
}
