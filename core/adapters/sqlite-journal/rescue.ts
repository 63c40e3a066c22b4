/**
 * Mends the history while it is in use: writes it again after its file was removed, opens it again after its log was removed or cut. New
 * messages are refused as long as that does not succeed.
 */
import { counted } from '../../contract/count-text.ts';
import { errorText } from '../../contract/error-text.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import { lockFolder } from './lock.ts';
import type { FolderLock } from './lock.ts';
import type { Reads } from './readers.ts';
import type { OpenReport, Reopened, Rescued } from './requests.ts';
import type { Appender } from './appender.ts';

const REMOVED = 'file of the history was removed while Sidelight was using it';
const GONE =
  'The file of the history was removed while Sidelight was repairing it. What only that file had is lost.';
const REPLACED =
  'Another file was put in the place of the history while Sidelight was repairing it. Sidelight has opened that file. What only the earlier one had is lost.';
const LOG_WAS: Readonly<Record<Reopened['why'], string>> = {
  removed:
    'log beside the history (sidelight.db-wal, sidelight.db-shm) was removed while Sidelight was using it',
  cut: 'log beside the history (sidelight.db-wal) was cut while Sidelight was using it',
};

export interface RescueDependencies {
  readonly appender: Appender;
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
  /** What has to be tried again; undefined: nothing. */
  #failed: 'run' | 'reopen' | undefined;
  /** What was done to the files, until a person hears of it: readers may not be able to open them yet. */
  #done: string | undefined;

  constructor(deps: RescueDependencies) {
    this.#deps = deps;
    this.#lock = deps.lock;
  }

  /** Why new messages are refused; undefined: the file is where it belongs, with its log. */
  get error(): JournalError | undefined {
    return this.#error;
  }

  /** Something could not be mended. The watches try it again, and reads in between do not: each try opens all files anew. */
  get hasFailed(): boolean {
    return this.#failed !== undefined;
  }

  /** Never rejects; false: it has to be tried again. */
  async run(): Promise<boolean> {
    const { appender, file } = this.#deps;
    try {
      // The old file stays readable during the copy, and also if there is no room for the copy.
      const isAway = await appender.copyAway();
      // The file may be another one because Sidelight itself replaced it, as it does with a damaged one.
      if (!isAway && this.#failed !== 'run') return true;
      // The lock is taken again first: the folder may be a new one, which another process may use.
      this.#lock.release();
      this.#lock = lockFolder(this.#deps.folder);
      await this.#withoutReaders(async () => {
        const rescued = await appender.rescue();
        if (rescued !== null) this.#done = rescuedText(file, rescued);
      });
      this.#succeeded();
      return true;
    } catch (error) {
      this.#refuse(`${REMOVED}, and Sidelight could not write it again`, error);
      this.#failed = 'run';
      return false;
    }
  }

  /** Whether `reopen` has something to do, asked beside all other work; undefined: that is not known now. */
  async wantsReopen(): Promise<boolean | undefined> {
    const { appender } = this.#deps;
    // Where the thread that writes has died, another one opens the file, with a log of its own.
    if (appender.isOver) return undefined;
    if (this.#failed === 'reopen') return true;
    try {
      const state = await appender.logState();
      return state === 'unknown' ? undefined : state !== 'whole';
    } catch (error) {
      // The thread has ended before it knew of anything.
      if (error instanceof JournalError) return undefined;
      throw error;
    }
  }

  /** As `run`, where something may have happened to the log beside the file. */
  async reopen(): Promise<boolean> {
    const { appender, file } = this.#deps;
    let why: Reopened['why'] | undefined;
    try {
      const state = await appender.logState();
      if (state === 'unknown') return false;
      if (state === 'whole' && this.#failed !== 'reopen') return true;
      if (state !== 'whole') why = state;
      await this.#withoutReaders(async () => {
        const reopened = await appender.reopen();
        if (reopened !== null) this.#done = reopenedText(file, reopened);
      });
      this.#succeeded();
      return true;
    } catch (error) {
      // The thread may have ended before it knew of anything.
      if (why === undefined) return false;
      this.#refuse(`${LOG_WAS[why]}, and Sidelight could not open the history again`, error);
      this.#failed = 'reopen';
      return false;
    }
  }

  /** Tries once more what failed last; does nothing where nothing has. */
  async again(): Promise<void> {
    if (this.#failed === 'run') await this.run();
    if (this.#failed === 'reopen') await this.reopen();
  }

  /** The present lock of the folder. */
  get lock(): FolderLock {
    return this.#lock;
  }

  releaseLock(): void {
    this.#lock.release();
  }

  async #withoutReaders(act: () => Promise<void>): Promise<void> {
    const { reader, file } = this.#deps;
    await reader.ask('close', null);
    try {
      await act();
    } finally {
      await reader.ask('open', { file, how: 'beside-writer' });
    }
  }

  #succeeded(): void {
    this.#error = undefined;
    this.#failed = undefined;
    if (this.#done !== undefined) this.#deps.report(this.#done);
    this.#done = undefined;
  }

  /** Logs a reason once, however often it fails with it. */
  #refuse(what: string, error: unknown): void {
    const reason = `${what}: ${errorText(error)}`;
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

function rescuedText(
  file: string,
  { setAside, isSaved, lost, report }: Rescued & { readonly lost: number },
): string {
  if (isSaved) {
    const kept = setAside === null ? '' : `; what was in its place is kept as ${setAside}`;
    return `The ${REMOVED}. Sidelight has written it again as ${file}${kept}.${lostText(lost)}${notesOf(report)}`;
  }
  return report.isNew ? begunText(file, report) : `${REPLACED}${notesOf(report)}`;
}

/** Where the file was missing, whatever it was that Sidelight was mending. */
function begunText(file: string, report: OpenReport): string {
  return `${GONE} Sidelight has begun a new one, ${file}.${notesOf(report)}`;
}

/** @param groups that nothing has any more */
function lostText(groups: number): string {
  return groups === 0 ? '' : ` ${counted(groups, 'group')} of records ${groups === 1 ? 'is' : 'are'} lost.`;
}

function notesOf({ notes }: OpenReport): string {
  return notes.map((note) => ` ${note}`).join('');
}

function reopenedText(file: string, { why, lost, report }: Reopened & { readonly lost: number }): string {
  if (report.isNew) return begunText(file, report);
  const done =
    why === 'cut'
      ? 'Sidelight has opened the history again, as after a kill, with what sidelight.db-newest has of it.'
      : 'Sidelight has created it again.';
  const isWhole = lost === 0 && report.notes.length === 0;
  return `The ${LOG_WAS[why]}. ${done}${isWhole ? ' Nothing is lost.' : lostText(lost) + notesOf(report)} Leave the files of the data folder alone while Sidelight runs.`;
}
