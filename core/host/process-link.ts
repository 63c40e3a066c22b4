/**
 * Connects the runtime with the part that runs the apps' processes: their output, their end, and the health
 * of apps.
 */
import type { LogEntry } from '../contract/console.ts';
import type { AttachedProcesses, RunOfApps } from './attached-processes.ts';
import { portsOf } from './port-owner.ts';
import { membersOf } from './process-group.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface ProcessLink {
  /** Stops deliveries to the app without using up an attempt. Resolves when the running ones have ended, or after a short time. */
  pauseDeliveries(appId: string): Promise<void>;
  /**
   * Resolves when a program listens at the app's address and deliveries go on, or when that no longer
   * matters.
   */
  resumeDeliveries(appId: string): Promise<void>;
  /** Why the app is not healthy; undefined: it is. */
  unhealthy(appId: string): string | undefined;
  /** Reports a line that the app's process wrote. */
  output(appId: string, stream: 'stdout' | 'stderr', line: string): void;
  log(level: LogEntry['level'], text: string, appId?: string): void;
  /**
   * Reports a change of an app's process.
   * @param notRunning why it does not run; undefined: it runs
   * @param pid its process; its group is looked through for the ports on which it listens
   */
  changed(appId: string, notRunning: string | undefined, pid?: number): void;
  /** Attaches the processes on which the console acts from now on. */
  attach(run: RunOfApps): void;
  /** Passes on each line of the log, those so far too, except lines of processes. */
  onLine(take: (entry: LogEntry) => void): void;
}

const PART = 'processes';

type LinkedRuntime = Pick<
  Runtime,
  'restarting' | 'topology' | 'log' | 'health' | 'events' | 'processChanged'
>;

export function openProcessLink(runtime: LinkedRuntime, processes: AttachedProcesses): ProcessLink {
  return {
    changed: (appId, notRunning, pid) =>
      runtime.processChanged(
        appId,
        notRunning,
        pid === undefined ? undefined : () => portsOf(membersOf(pid)),
      ),
    attach: (run) => processes.attach(run),
    pauseDeliveries: (appId) => runtime.restarting.begin(appId),
    resumeDeliveries: (appId) => runtime.restarting.expect(appId),
    unhealthy: (appId) => {
      const { healthz } = runtime.health.of(appId);
      const bad = healthz.parts.find(({ ok, counts }) => counts && !ok);
      if (bad !== undefined) return `${bad.name}: ${bad.detail}`;
      const probe = runtime.topology.apps(appId)[0]?.appHealth;
      return probe === undefined || probe.healthy ? undefined : 'its health check has not passed yet';
    },
    output: (appId, stream, line) => runtime.log.output(appId, stream, line),
    onLine: (take) => {
      const soFar = runtime.log.ownLines();
      for (const entry of soFar) take(entry);
      runtime.events.onEvent((noted) => {
        if (noted.type !== 'log.added') return;
        const event = noted.read();
        if (event.type === 'log.added') take(event.entry);
      });
    },
    log: (level, text, appId) => runtime.log.write(level, PART, text, appId === undefined ? {} : { appId }),
  };
}
