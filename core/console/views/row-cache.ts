/** The rows that changed last, kept up to date from the events, so that showing them asks nobody. */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import { withDeliveries } from '../stream/pack.ts';

/** More than the newest rows of a view, with room for older ones that still change. */
const MOST_ROWS = 4000;

export class RowCache {
  /** By number; the one that changed longest ago first. */
  readonly #rows = new Map<number, MessageRow>();
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#rows.size;
  }

  get(number: number): MessageRow | undefined {
    return this.#rows.get(number);
  }

  /** Number of the message that an event is about; undefined: it is about none, or the message is not known here. */
  numberOf(event: ConsoleEvent): number | undefined {
    if (event.type === 'message.added') return event.row.number;
    if (event.type === 'delivery.changed') return event.number ?? this.#numbers.get(event.messageId);
    return undefined;
  }

  /** Takes the change of an event into the row it is about; a row that is not here is not fetched. */
  apply(event: ConsoleEvent): void {
    if (event.type === 'message.added') this.put(event.row);
    if (event.type !== 'delivery.changed') return;
    const number = this.numberOf(event);
    const row = number === undefined ? undefined : this.#rows.get(number);
    if (row !== undefined) this.put(withDeliveries(row, [event.delivery]));
  }

  put(row: MessageRow): void {
    this.#rows.delete(row.number);
    this.#rows.set(row.number, row);
    this.#numbers.set(row.messageId, row.number);
    if (this.#rows.size <= MOST_ROWS) return;
    for (const oldest of this.#rows.keys()) {
      this.drop(oldest);
      return;
    }
  }

  drop(number: number): void {
    const row = this.#rows.get(number);
    if (row === undefined) return;
    this.#rows.delete(number);
    this.#numbers.delete(row.messageId);
  }

  clear(): void {
    this.#rows.clear();
    this.#numbers.clear();
  }
}
