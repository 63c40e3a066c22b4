/**
 * Messages whose deliveries the journal does not have yet, because the match rules of others go first. Without this a list that reads them
 * would say that they have no subscription.
 */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { compileFilter } from '../../domain/filter/evaluate.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { Journal } from '../../ports/journal.ts';

export class LateDeliveries {
  /** By number of the message; `of` is how many of its deliveries are late. */
  readonly #rows = new Map<number, { readonly row: () => MessageRow; readonly of: number }>();

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

  /** Messages that match the filter with the deliveries that they have now. */
  async matching(
    journal: Pick<Journal, 'details'>,
    codec: Codec,
    numbers: readonly number[],
    filter: Filter,
    nowMs: number,
  ): Promise<ReadonlySet<number>> {
    const matches = compileFilter(filter);
    const found = new Set<number>();
    for (const one of await journal.details(numbers)) {
      if (one === undefined) continue;
      const { wire, metadata } = one.message;
      const subject = buildSubject({ row: this.row(one.row), metadata, wire }, [], codec);
      if (matches(subject, nowMs)) found.add(one.row.number);
    }
    return found;
  }
}
