/**
 * Counts the records of what passed a tap that the history does not have, with the reason. A publish, a delivery and its answer are one record
 * each, so a call can have several.
 */
import { counted } from '../../contract/count-text.ts';
import { textOf } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { kindOf } from '../../domain/content-type.ts';
import { hasMoreValues, MAX_PASSING_VALUES, mayHoldValues } from '../../domain/json.ts';
import type { SeenPublish } from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';

/** Values of an entry of a batch next to its event. */
const ENTRY_VALUES = 12;
const TOO_MANY = `it has more than ${MAX_PASSING_VALUES.toLocaleString('en')} values`;

/** Whether a body of this content type is read as JSON. */
function isParsed(contentType: string): boolean {
  const kind = kindOf(contentType);
  return kind === 'json' || kind === 'cloudevent';
}

export class MissingRecords {
  readonly #shared: SharedServices;
  count = 0;
  /** Reason of the last one; "" = none. */
  why = '';

  constructor(shared: SharedServices) {
    this.#shared = shared;
  }

  /** Whether the journal is behind: records of what passes then are only counted. */
  isBehind(): boolean {
    const { behind, trouble } = this.#shared.writer;
    if (!behind && trouble === undefined) return false;
    this.note(trouble ?? 'the history cannot keep up');
    return true;
  }

  /** Whether a publish has more values than are read. */
  isTooLargePublish({ body, contentType, isBulk }: SeenPublish): boolean {
    if (!(body instanceof Uint8Array))
      return this.isTooMuch(
        body.map(({ event }) => event),
        body.filter((one) => isParsed(one.contentType)).map(({ event }) => event),
      );
    return this.isTooMuch([body], isBulk || isParsed(contentType ?? '') ? [body] : []);
  }

  /**
   * Whether a call has more values than are read: such calls are only counted.
   * @param parsed those of its parts that are parsed
   */
  isTooMuch(parts: readonly Wire[], parsed: readonly Wire[] = parts): boolean {
    const most = MAX_PASSING_VALUES - parts.length * ENTRY_VALUES;
    const lists = parsed.filter(mayHoldValues);
    const size = lists.reduce((sum, { length }) => sum + length, 0);
    const isTooMuch =
      most < 0 ||
      (size > most && hasMoreValues(lists.map((one) => textOf(one, this.#shared.codec)).join(','), most));
    if (isTooMuch) this.note(TOO_MANY);
    return isTooMuch;
  }

  note(reason: string): undefined {
    this.count += 1;
    this.why = reason;
    // The line is logged once for each power of ten, because there may be thousands of them a second.
    if (/^10*$/.test(String(this.count)))
      this.#shared.log.write(
        'error',
        'tap',
        `${counted(this.count, 'record')} of what passed ${this.count === 1 ? 'is' : 'are'} missing: ${reason}`,
      );
    return undefined;
  }
}
