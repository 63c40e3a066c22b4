/** Reports changes of a folder's YAML files once writing has stopped. */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';

import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Signature } from './read-folder.ts';

export interface FolderWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What would be loaded now. */
  readonly signature: () => Promise<Signature>;
  /** Signature of what was loaded last; undefined: nothing yet. */
  readonly loaded: () => string | undefined;
  readonly changed: () => void;
}

/** Quiet time after the last event before the folder is looked at, and between two looks that must agree. */
const QUIET_MS = 200;
/** Number of checks after which a folder that keeps changing is loaded anyway. */
const MAX_LOOKS = 15;
/** Time between looks while the folder cannot be watched, for example because it is not there. */
const RECHECK_MS = 1_000;

export interface WatchedFolder {
  /** Says that something else than the folder has changed. */
  readonly notice: () => void;
  /** Ends it; nothing is called afterwards. */
  readonly end: () => void;
}

export function watchFolder(options: FolderWatchOptions): WatchedFolder {
  const watching = new FolderWatch(options);
  watching.begin();
  return { notice: () => watching.notice(), end: () => watching.end() };
}

class FolderWatch {
  readonly #options: FolderWatchOptions;
  #watcher: FSWatcher | undefined;
  #timer: Cancel | undefined;
  #isEnded = false;
  #isLooking = false;
  #missedEvent = false;
  #wasReported = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#listen();
    // The folder may have changed between the last load and now, before events are received.
    this.#lookIn(0, 0, undefined);
  }

  end(): void {
    this.#isEnded = true;
    this.#timer?.();
    this.#watcher?.close();
  }

  /** Watches again after each change, because another folder of the same name may have replaced this one. */
  #listen(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    try {
      const watcher = watch(this.#options.folder, { persistent: false }, () => this.notice());
      watcher.on('error', (error) => this.#lost(error));
      this.#watcher = watcher;
      this.#wasReported = false;
    } catch (error) {
      this.#lost(error);
    }
  }

  #lost(error: unknown): void {
    if (this.#isEnded) return;
    this.#watcher?.close();
    this.#watcher = undefined;
    if (!this.#wasReported) {
      const { folder, log } = this.#options;
      log.write(
        'warn',
        'components',
        `Sidelight cannot watch the folder ${folder} for changes: ${String(error)}`,
      );
    }
    this.#wasReported = true;
    this.#lookIn(RECHECK_MS, 0, undefined);
  }

  notice(): void {
    if (this.#isEnded) return;
    if (this.#isLooking) this.#missedEvent = true;
    else this.#lookIn(QUIET_MS, 0, undefined);
  }

  #lookIn(ms: number, looks: number, before: string | undefined): void {
    const { clock } = this.#options;
    this.#timer?.();
    this.#timer = clock.at(clock.now() + ms, () => void this.#look(looks, before));
  }

  /** @param before what the last look saw, if that was not what is loaded */
  async #look(looks: number, before: string | undefined): Promise<void> {
    this.#isLooking = true;
    const { isThere, text } = await this.#options.signature();
    this.#isLooking = false;
    if (this.#isEnded) return;
    const isNews = text !== this.#options.loaded();
    if (isNews && text !== before && looks < MAX_LOOKS) return this.#lookIn(QUIET_MS, looks + 1, text);
    if (isNews) this.#options.changed();
    if (this.#isEnded) return;
    if (!isThere) return this.#lost(text);
    if (isNews || this.#watcher === undefined) this.#listen();
    if (this.#missedEvent) this.#lookIn(QUIET_MS, 0, undefined);
    this.#missedEvent = false;
  }
}
