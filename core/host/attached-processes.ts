/** Processes of this run for the console: none, until a run of several apps attaches its own. */
import type { LogEntry, Page } from '../contract/console.ts';
import type { ProcessRow } from '../contract/methods/processes.ts';
import type { Peer } from '../contract/rpc.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ProcessService } from '../console/methods/dependencies.ts';
import type { Runtime } from '../runtime/runtime.ts';

/**
 * Control of a run of several apps. `restart` and `stop` resolve when all processes of the old group have
 * ended.
 */
export interface RunOfApps {
  rows(): readonly ProcessRow[];
  /** The present banners about the run. */
  banners(): SystemDescription['banners'];
  /** Restarts an app's process; undefined: the app has none here. */
  restart(appId: string, by?: Peer): Promise<void> | undefined;
  stop(appId: string, by?: Peer): Promise<void> | undefined;
  start(appId: string): Promise<void> | undefined;
}

export class AttachedProcesses implements ProcessService {
  readonly #log: Pick<Runtime['log'], 'outputPage'>;
  #run: RunOfApps | undefined;

  constructor({ log }: { readonly log: Pick<Runtime['log'], 'outputPage'> }) {
    this.#log = log;
  }

  attach(run: RunOfApps): void {
    this.#run = run;
  }

  banners(): SystemDescription['banners'] {
    return this.#run?.banners() ?? [];
  }

  list(): readonly ProcessRow[] {
    return this.#run?.rows() ?? [];
  }

  restart(appId: string, by?: Peer): Promise<ProcessRow> {
    return this.#act(appId, this.#run?.restart(appId, by));
  }

  stop(appId: string, by?: Peer): Promise<ProcessRow> {
    return this.#act(appId, this.#run?.stop(appId, by));
  }

  start(appId: string): Promise<ProcessRow> {
    return this.#act(appId, this.#run?.start(appId));
  }

  logs(query: Parameters<ProcessService['logs']>[0]): Page<LogEntry> {
    return this.#log.outputPage(query);
  }

  async #act(appId: string, act: Promise<void> | undefined): Promise<ProcessRow> {
    await act;
    const row = act === undefined ? undefined : this.list().find((one) => one.appId === appId);
    if (row !== undefined) return row;
    const reason = `Sidelight has not started a process for an app ${appId}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'appId' });
  }
}
