/** A group of processes: everything that a command has started, unless it has left the group by itself. */
import { readFileSync, readdirSync } from 'node:fs';

/** Gives every process of the group the signal. False: nobody is in it. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    // A group of which nobody may be signalled lives all the same.
    return error.code === 'EPERM';
  }
}

/**
 * Whether somebody in the group still runs. One that has ended, and that its parent has not asked about yet, does not: a signal reaches
 * it, and it would be waited for in vain.
 */
export function groupRuns(group: number, platform: NodeJS.Platform = process.platform): boolean {
  if (!signalGroup(group, 0)) return false;
  if (platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningIn(name, group));
}

function isRunningIn(pid: string, group: number): boolean {
  const stat = statOf(pid);
  // The name of the program stands in parentheses and may hold anything.
  const [state, , ofGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(ofGroup) === group && state !== 'Z' && state !== 'X';
}

/** "" = it is gone. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return '';
  }
}
