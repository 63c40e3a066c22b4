/** The rows that changed last, kept up to date from the events, so that showing them asks nobody. */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import { withDeliveries } from '../stream/pack.ts';

/** More than the newest rows of a view, with room for older ones that still change. */
const MOST_ROWS = 4000;

export class RowCache {
  /** By number; the one that changed longest ago first. */
  readonly #rows = new Map<number, MessageRow>();

  get size(): number {
    return this.#rows.size;
  }

  get(number: number): MessageRow | undefined {
    return this.#rows.get(number);
  }

  /** Number of the message that an event is about; undefined: it is about none, or the message is not known here. */
  numberOf(event: ConsoleEvent): number | undefined {
    if (event.type === 'message.added') return event.row.number;
    if (event.type === 'delivery.changed') return event.number ?? this.#numberById(event.messageId);
    return undefined;
  }

  /** Takes the change of an event into the row it is about; a row that is not here is not fetched. */
  apply(event: ConsoleEvent): void {
    if (event.type === 'message.added') this.put(event.row);
    if (event.type !== 'delivery.changed') return;
    const number = this.numberOf(event);
    const row = number === undefined ? undefined : this.#rows.get(number);
    // The row of a message that is new in a batch has what the batch says of its deliveries.
    if (row === undefined || row.deliveries.includes(event.delivery)) return;
    this.put(withDeliveries(row, [event.delivery]));
  }

  put(row: MessageRow): void {
    this.#rows.delete(row.number);
    this.#rows.set(row.number, row);
    if (this.#rows.size <= MOST_ROWS) return;
    for (const oldest of this.#rows.keys()) {
      this.#rows.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#rows.clear();
  }

  /** Few events name a message by its id only. */
  #numberById(messageId: string): number | undefined {
    for (const [number, row] of this.#rows) if (row.messageId === messageId) return number;
    return undefined;
  }
}
