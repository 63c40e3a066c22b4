/** Writes the history again after its file was removed, and refuses new messages as long as that does not succeed. */
import { errorText } from '../../contract/error-text.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import { lockFolder } from './lock.ts';
import type { FolderLock } from './lock.ts';
import type { Reads } from './readers.ts';
import type { WriteAhead } from './write-ahead.ts';

const REMOVED = 'file of the history was removed while Sidelight was using it';

export interface RescueDependencies {
  readonly ahead: WriteAhead;
  readonly reader: Reads;
  readonly folder: string;
  readonly file: string;
  /** Lock of the folder; the rescue releases it from now on. */
  readonly lock: FolderLock;
  /** To a person, for good. */
  readonly report: (text: string) => void;
  readonly log: Log;
}

export class Rescue {
  readonly #deps: RescueDependencies;
  #lock: FolderLock;
  #error: JournalError | undefined;

  constructor(deps: RescueDependencies) {
    this.#deps = deps;
    this.#lock = deps.lock;
  }

  /** Why new messages are refused; undefined: the file is where it belongs. */
  get error(): JournalError | undefined {
    return this.#error;
  }

  /** Never rejects; false: it has to be tried again. */
  async run(): Promise<boolean> {
    const { ahead, file, report } = this.#deps;
    try {
      // The old file stays readable during the copy, and also if there is no room for the copy.
      await ahead.ask('copyAway', null);
      // The lock is taken again first: the folder may be a new one, which another process may use.
      this.#lock.release();
      this.#lock = lockFolder(this.#deps.folder);
      const setAside = await this.#replaced();
      this.#error = undefined;
      const kept = setAside === null ? '' : `; what was in its place is kept as ${setAside}`;
      report(`The ${REMOVED}. Sidelight has written it again as ${file}${kept}.`);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** The present lock of the folder. */
  get lock(): FolderLock {
    return this.#lock;
  }

  releaseLock(): void {
    this.#lock.release();
  }

  async #replaced(): Promise<string | null> {
    const { ahead, reader, file } = this.#deps;
    await reader.ask('close', null);
    try {
      return await ahead.rescue();
    } finally {
      await reader.ask('open', { file, how: 'beside-writer' });
    }
  }

  /** Logs a reason once, however often the rescue fails with it. */
  #failed(error: unknown): void {
    const said = errorText(error);
    const reason = `${REMOVED}, and Sidelight could not write it again: ${said}`;
    if (this.#error?.message === `the ${reason}`) return;
    const code = error instanceof JournalError && error.code !== 'closed' ? error.code : 'broken';
    this.#error = new JournalError(code, `the ${reason}`, { cause: error });
    // People see the reason through `error` for as long as it lasts; the log gets it once.
    this.#deps.log.write(
      'error',
      'journal',
      `The ${reason}. Sidelight tries again and refuses new messages until then.`,
    );
  }
}
