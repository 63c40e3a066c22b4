/** Brings written records into the tables before a read, once for all reads at the same time. */
import { errorText } from '../../contract/error-text.ts';
import { LoggedReasons } from '../../domain/logged-reasons.ts';
import type { Log } from '../../ports/log.ts';
import type { OpenFile, WriterRequests } from './requests.ts';
import { Thread } from './thread.ts';
import type { Appender } from './appender.ts';

export interface CatchUpDependencies {
  readonly appender: Appender;
  readonly how: OpenFile;
  readonly log: Log;
  /** Has a log mended that refuses records; false: that is not what is wrong. */
  readonly mended: () => Promise<boolean>;
}

export class CatchUp {
  readonly #deps: CatchUpDependencies;
  #isBehind = false;
  /** Why commits failed: each read would log it again. */
  readonly #reasons = new LoggedReasons();
  #underWay: Promise<void> | undefined;

  constructor(deps: CatchUpDependencies) {
    this.#deps = deps;
  }

  /** Called when a group is in the file, before its callers hear of it. */
  wrote(): void {
    this.#isBehind = true;
  }

  /** Resolves when everything that was written so far can be read. Never rejects: a failure is logged. */
  async now(): Promise<void> {
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#underWay = this.#commit();
    }
    await this.#underWay;
  }

  async #commit(): Promise<void> {
    const { appender, mended } = this.#deps;
    try {
      if (!(await appender.ask('commit', null))) this.#isBehind = true;
      this.#reasons.over();
    } catch (error) {
      const said = errorText(error);
      // Only one thread may have the file open for writing.
      if (appender.isOver) await this.#byAnother(said);
      else if (!(await mended())) this.#logOnce(said);
    }
  }

  #logOnce(reason: string): void {
    if (!this.#reasons.isNew(reason)) return;
    this.#deps.log.write('error', 'journal', `The newest records are not shown: ${reason}.`);
  }

  /** The thread that writes has died: another one opens the file as a start would, which takes in the newest records, and ends. */
  async #byAnother(died: string): Promise<void> {
    const { how } = this.#deps;
    const other = new Thread<WriterRequests>('writer-thread', () => undefined);
    try {
      await other.ask('open', { ...how, ballastBytes: 0 });
    } catch (error) {
      this.#logOnce(`${died}, then ${errorText(error)}`);
    } finally {
      await other.end();
    }
  }
}
