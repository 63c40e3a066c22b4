/** A file that could not be opened for writing at the start: appends are refused. If only room was missing, it is opened later. */
import type { JournalError } from '../../ports/journal.ts';
import type { OpenFile, OpenReport } from './requests.ts';
import type { Reads } from './readers.ts';
import { errorOf } from './failure.ts';
import type { Appender } from './appender.ts';

export interface LateDependencies {
  readonly appender: Appender;
  readonly reader: Reads;
  readonly report: OpenReport;
  readonly how: OpenFile;
}

export class LateOpening {
  readonly #deps: LateDependencies;
  #error: JournalError | undefined;

  constructor(deps: LateDependencies) {
    const { refuses } = deps.report;
    this.#deps = deps;
    this.#error = refuses && errorOf(refuses);
  }

  /** Why nothing is taken; undefined: it is open. */
  get error(): JournalError | undefined {
    return this.#error;
  }

  /** Why appends are refused, if missing room is the only reason; undefined otherwise. */
  get wantsRoom(): JournalError | undefined {
    return this.#deps.report.waitsForRoom === true ? this.#error : undefined;
  }

  /** False: there still is no room. Rejects JournalError with what else is in the way. */
  async open(): Promise<boolean> {
    const { refuses } = await this.#deps.appender.open(this.#deps.how);
    return refuses === undefined;
  }

  /** Opens the file for reading again, beside the writer. No read may run meanwhile. */
  async readBesideWriter(): Promise<boolean> {
    const { reader, report } = this.#deps;
    await reader.ask('close', null);
    await reader.ask('open', { file: report.file, how: 'beside-writer' });
    this.#error = undefined;
    return true;
  }
}
