/** Notices that the lock file of the folder was removed or replaced, and takes the folder again before another process does. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../contract/error-text.ts';

import type { Notice } from '../../ports/log.ts';
import { FileWatch } from './file-watch.ts';
import type { FolderLock } from './lock.ts';

export class LockWatch {
  readonly #journal: string;
  readonly #lock: () => FolderLock;
  readonly #notice: Notice;
  readonly #watch: FileWatch;
  #lastReported: string | undefined;

  /**
   * @param lock the one that is held at present
   * @param everyMs ms between two looks
   */
  constructor(folder: string, lock: () => FolderLock, notice: Notice, everyMs?: number) {
    this.#journal = join(folder, 'sidelight.db');
    this.#lock = lock;
    this.#notice = notice;
    this.#watch = new FileWatch(join(folder, 'lock.db'), async () => this.#renewed(), { everyMs });
    this.#watch.start();
  }

  stop(): Promise<void> {
    return this.#watch.stop();
  }

  /** False: it is tried again at the next look. */
  #renewed(): boolean {
    // If the journal was removed too, its rescue locks the folder.
    if (!existsSync(this.#journal)) return false;
    try {
      const came = this.#lock().renew();
      this.#lastReported = undefined;
      if (came === 'made again')
        this.#notice(
          'warn',
          'lock.db was removed from the data folder while Sidelight was using it. Sidelight has created it again. Leave the files of this folder alone while Sidelight runs.',
        );
      return true;
    } catch (error) {
      const reason = errorText(error);
      if (reason !== this.#lastReported)
        this.#notice(
          'error',
          `lock.db was removed from the data folder while Sidelight was using it. Sidelight could not create it again: ${reason}. Remove what is in its place, or end the process that uses the folder. Sidelight keeps trying.`,
        );
      this.#lastReported = reason;
      return false;
    }
  }
}
