/** A process group: all processes that a command has started, except those that left the group. */
import { readdirSync } from 'node:fs';
import { GROUP, STATE, STATES_OF_THE_ENDED, tableOf } from '../process-start.ts';

/** Sends a signal to every process of the group. False: the group is empty. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    // The group is alive if its processes may not be signalled.
    return error.code === 'EPERM';
  }
}

/**
 * Whether a process of the group still runs. A process that has ended, but was not reaped by its parent, does
 * not count: a signal reaches it, and a wait for it would never end.
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
