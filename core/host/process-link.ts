/** Between the runtime and whoever runs the processes of apps: what those write, when they go, and whether an app is well. */
import type { LogEntry } from '../contract/console.ts';
import type { AttachedProcesses, RunOfApps } from './attached-processes.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface ProcessLink {
  /** Deliveries to the app wait from now on, and use up no attempt. Resolves when those under way have ended, or soon. */
  leave(appId: string): Promise<void>;
  /** Resolves when somebody listens at the app's address and its deliveries go on, or when that no longer matters. */
  expect(appId: string): Promise<void>;
  /** Why the app is not healthy; undefined: it is. */
  unhealthy(appId: string): string | undefined;
  /** A line that its process wrote. */
  output(appId: string, stream: 'stdout' | 'stderr', line: string): void;
  log(level: LogEntry['level'], text: string, appId?: string): void;
  /** Told when the state of the process of an app changes. */
  changed(appId: string): void;
  /** The console acts on these processes from now on. */
  attach(run: RunOfApps): void;
  /** Hands over each line of the log, except lines of processes. */
  onLine(take: (entry: LogEntry) => void): void;
}

const PART = 'processes';

type LinkedRuntime = Pick<Runtime, 'absences' | 'topology' | 'log' | 'health' | 'events' | 'processChanged'>;

export function openProcessLink(runtime: LinkedRuntime, processes: AttachedProcesses): ProcessLink {
  return {
    changed: (appId) => runtime.processChanged(appId),
    attach: (run) => processes.attach(run),
    leave: (appId) => runtime.absences.begin(appId),
    expect: (appId) => runtime.absences.expect(appId),
    unhealthy: (appId) => {
      const { healthz } = runtime.health.of(appId);
      const bad = healthz.parts.find(({ ok, counts }) => counts && !ok);
      if (bad !== undefined) return `${bad.name}: ${bad.detail}`;
      const probe = runtime.topology.apps().find((row) => row.appId === appId)?.appHealth;
      return probe === undefined || probe.healthy ? undefined : 'its health check has not passed yet';
    },
    output: (appId, stream, line) => runtime.log.output(appId, stream, line),
    onLine: (take) => {
      runtime.events.onEvent((noted) => {
        if (noted.type !== 'log.added') return;
        const event = noted.read();
        if (event.type === 'log.added') take(event.entry);
      });
    },
    log: (level, text, appId) => runtime.log.write(level, PART, text, appId === undefined ? {} : { appId }),
  };
}
