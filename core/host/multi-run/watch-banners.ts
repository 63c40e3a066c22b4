/** Watches the files of the apps of a run, and shows where changes are missed: in the log, and as banners. */
import type { SystemDescription } from '../../contract/reports.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { AppProcess } from './app-process.ts';
import { FileWatch } from './file-watch.ts';

type Banner = SystemDescription['banners'][number];

export interface WatchDependencies {
  /** Absolute folder of the product's data; undefined: there is none. */
  readonly dataDir: string | undefined;
  readonly clock: Clock;
  /** A line about an app. */
  readonly log: (level: Parameters<Log['write']>[0], text: string, appId: string) => void;
  /** Starts the app again. */
  readonly renew: (process: AppProcess) => void;
}

export class WatchedApps {
  readonly #deps: WatchDependencies;
  readonly #banners = new Map<string, Banner>();
  #watches: readonly FileWatch[] = [];
  #began = 0;

  constructor(deps: WatchDependencies) {
    this.#deps = deps;
  }

  /** Starts to watch files for each app that has globs. */
  begin(processes: readonly AppProcess[]): void {
    const { dataDir, clock, log, renew } = this.#deps;
    this.#watches = processes
      .filter(({ app }) => app.watch.length > 0)
      .map(
        (process) =>
          new FileWatch({
            folder: process.app.folder,
            globs: process.app.watch,
            dataDir,
            clock,
            onChange: () => renew(process),
            onTrouble: (text) =>
              log('warn', `Watching the files of app ${process.appId}: ${text}.`, process.appId),
            onMissed: (why) => this.#missed(process.appId, why),
          }),
      );
  }

  /** The present banners, one for each app whose changes are missed. */
  banners(): readonly Banner[] {
    return [...this.#banners.values()];
  }

  end(): void {
    for (const one of this.#watches) one.close();
  }

  /** The banner first: the line of the log is the event that makes screens ask for it. */
  #missed(appId: string, why: string | undefined): void {
    const { log } = this.#deps;
    if (why === undefined) {
      this.#banners.delete(appId);
      log('info', `All changes of the files of app ${appId} are noticed again.`, appId);
      return;
    }
    const text = `Sidelight misses changes of the files of app ${appId}: ${why}. After a change that it misses, restart the app by hand.`;
    // Each occurrence has its own id, so that dismissing one does not hide the next.
    this.#banners.set(appId, { id: `watch-${++this.#began}`, text, level: 'warn' });
    log('warn', text, appId);
  }
}
