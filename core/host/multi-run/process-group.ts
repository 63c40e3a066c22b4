/** A group of processes: everything that a command has started, unless it has left the group by itself. */
import { readdirSync } from 'node:fs';
import { GROUP, STATE, STATES_OF_THE_ENDED, tableOf } from '../process-start.ts';

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
 * it, and waiting for it would never end.
 */
export function groupRuns(group: number, platform: NodeJS.Platform = process.platform): boolean {
  if (!signalGroup(group, 0)) return false;
  if (platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningIn(name, group));
}

function isRunningIn(pid: string, group: number): boolean {
  const table = tableOf(pid);
  return Number(table[GROUP]) === group && !STATES_OF_THE_ENDED.has(table[STATE] ?? '');
}
