/** A file that could not be opened for writing at the start: refused with the reason, and opened once there is room where only that was missing. */
import { JournalError } from '../../ports/journal.ts';
import type { OpenFile, OpenReport } from './requests.ts';
import type { Reads } from './readers.ts';
import type { WriteAhead } from './write-ahead.ts';

export interface LateDependencies {
  readonly ahead: WriteAhead;
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
    this.#error = refuses && new JournalError(refuses.code, refuses.message);
  }

  /** Why nothing is taken; undefined: it is open. */
  get error(): JournalError | undefined {
    return this.#error;
  }

  /** Why nothing is taken, where missing room is the only reason; undefined: there is another one, or none. */
  get wantsRoom(): JournalError | undefined {
    return this.#deps.report.waitsForRoom === true ? this.#error : undefined;
  }

  /** False: there still is no room. Rejects JournalError with what else is in the way. */
  async open(): Promise<boolean> {
    const { refuses } = await this.#deps.ahead.open(this.#deps.how);
    return refuses === undefined;
  }

  /** What is written from now on is read: nobody may read meanwhile. */
  async readBesideWriter(): Promise<boolean> {
    const { reader, report } = this.#deps;
    await reader.ask('close', null);
    await reader.ask('open', { file: report.file, how: 'beside-writer' });
    this.#error = undefined;
    return true;
  }
}
