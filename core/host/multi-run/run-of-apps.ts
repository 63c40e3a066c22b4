/** Gives the console the processes of a run: rows to show, and acts on each. */
import type { ProcessRow } from '../../contract/methods/processes.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { RunOfApps } from '../attached-processes.ts';
import type { AppProcess } from './app-process.ts';
import type { Processes } from './processes.ts';

export function runOfApps(processes: Processes): Omit<RunOfApps, 'banners'> {
  return {
    rows: () => processes.all.map(rowOf),
    restart: (appId, by) => on(processes.find(appId), (process) => processes.restart(process, by)),
    stop: (appId, by) => on(processes.find(appId), (process) => processes.stop(process, by)),
    start: (appId) => on(processes.find(appId), (process) => processes.start(process)),
  };
}

function on(
  process: AppProcess | undefined,
  act: (process: AppProcess) => Promise<void>,
): Promise<void> | undefined {
  return process === undefined ? undefined : act(process);
}

export function rowOf({ app, pid, state, reason, exitCode, startedMs, restarts }: AppProcess): ProcessRow {
  return {
    appId: app.appId,
    command: [...app.command],
    ...withoutUndefined({ pid }),
    state,
    ...withoutUndefined({ reason, exitCode }),
    ...(startedMs === undefined ? {} : { startedAt: new Date(startedMs).toISOString() }),
    restarts,
  };
}
