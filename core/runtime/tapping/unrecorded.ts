/** Counts calls that passed a tap without a record in the history, with the reason. */
import { counted } from '../../contract/count-text.ts';
import type { SharedServices } from '../common-services.ts';

export class UnrecordedCalls {
  readonly #shared: SharedServices;
  count = 0;
  /** Reason of the last one; "" = none. */
  why = '';

  constructor(shared: SharedServices) {
    this.#shared = shared;
  }

  /** Whether the journal is behind: calls that pass then are only counted. */
  isBehind(): boolean {
    const { behind, trouble } = this.#shared.writer;
    if (!behind && trouble === undefined) return false;
    this.note(trouble ?? 'the history cannot keep up');
    return true;
  }

  note(reason: string): undefined {
    this.count += 1;
    this.why = reason;
    // The line is logged once for each power of ten, because there may be thousands of calls a second.
    if (/^10*$/.test(String(this.count)))
      this.#shared.log.write(
        'error',
        'tap',
        `${counted(this.count, 'call')} passed and ${this.count === 1 ? 'is' : 'are'} not recorded: ${reason}`,
      );
    return undefined;
  }
}
