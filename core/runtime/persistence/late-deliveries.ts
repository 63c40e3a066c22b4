/**
 * Messages whose deliveries the journal does not have yet, because the match rules of others go first. Without this a list that reads them
 * would say that they have no subscription.
 */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { compileFilter } from '../../domain/filter/evaluate.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import { editedWire } from '../../domain/preview.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, MessageQuery } from '../../ports/journal.ts';

/** Maximum number of messages that are compared in one turn of the event loop, and of bytes of their bodies. */
const MAX_TOGETHER = 200;
const MAX_BYTES = 1024 * 1024;

export interface LateDeliveryDependencies {
  readonly journal: Pick<Journal, 'details'>;
  readonly codec: Codec;
  readonly clock: Clock;
}

export class LateDeliveries {
  readonly #deps: LateDeliveryDependencies;
  /** Rows with late deliveries, by the number of the message; `of` is how many of its deliveries are late. */
  readonly #rows = new Map<number, { readonly row: () => MessageRow; readonly of: number }>();

  constructor(deps: LateDeliveryDependencies) {
    this.#deps = deps;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /**
   * A message has such a delivery now.
   * @param row its row with all its deliveries
   * @returns to be called once the journal has it
   */
  add(number: number, row: () => MessageRow): () => void {
    this.#rows.set(number, { row, of: (this.#rows.get(number)?.of ?? 0) + 1 });
    return () => {
      const of = (this.#rows.get(number)?.of ?? 1) - 1;
      if (of === 0) this.#rows.delete(number);
      else this.#rows.set(number, { row, of });
    };
  }

  /** The row as it is now. */
  row(row: MessageRow): MessageRow {
    return this.#rows.get(row.number)?.row() ?? row;
  }

  has(number: number): boolean {
    return this.#rows.has(number);
  }

  /** The messages between two numbers, both included. */
  between(first: number, last: number): readonly number[] {
    return [...this.#rows.keys()].filter((number) => number >= first && number <= last);
  }

  /** Messages that match the filter with the deliveries that they have now. Others have their turn in between. */
  async matching(
    numbers: readonly number[],
    filter: Filter,
    { nowMs, signal }: Pick<MessageQuery, 'nowMs' | 'signal'>,
  ): Promise<ReadonlySet<number>> {
    const { journal, codec, clock } = this.#deps;
    const matches = compileFilter(filter);
    const found = new Set<number>();
    let isFirst = true;
    for (const slice of this.#slices(numbers)) {
      if (!isFirst) await new Promise<void>((go) => clock.at(clock.now(), go));
      isFirst = false;
      signal?.throwIfAborted();
      for (const one of await journal.details(slice)) {
        if (one === undefined) continue;
        const { wire, metadata } = one.message;
        const edited = editedWire(one.deliveries.map(({ delivery }) => delivery));
        const subject = buildSubject({ row: this.row(one.row), metadata, wire, edited }, [], codec);
        if (matches(subject, nowMs)) found.add(one.row.number);
      }
    }
    return found;
  }

  *#slices(numbers: readonly number[]): Generator<readonly number[]> {
    let slice: number[] = [];
    let bytes = 0;
    for (const number of numbers) {
      const size = this.#rows.get(number)?.row().sizeBytes ?? 0;
      if (slice.length === MAX_TOGETHER || (slice.length > 0 && bytes + size > MAX_BYTES)) {
        yield slice;
        slice = [];
        bytes = 0;
      }
      slice.push(number);
      bytes += size;
    }
    if (slice.length > 0) yield slice;
  }
}
