/** The rows that changed last, kept up to date from the events, so that showing them asks nobody. */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import { withDeliveries } from '../stream/pack.ts';

/** More than the newest rows of a view, with room for older ones that still change. */
const MOST_ROWS = 4000;

export class RowCache {
  /**
   * By number: those that changed last, and those before them, which go all at once. To take the oldest one out of a single map with
   * every row takes long: its first key is found the later the more were taken out before it.
   */
  #newer = new Map<number, MessageRow>();
  #older: ReadonlyMap<number, MessageRow> = new Map();

  get(number: number): MessageRow | undefined {
    return this.#newer.get(number) ?? this.#older.get(number);
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
    const row = number === undefined ? undefined : this.get(number);
    // The row of a message that is new in a batch has what the batch says of its deliveries.
    if (row === undefined || row.deliveries.includes(event.delivery)) return;
    this.put(withDeliveries(row, [event.delivery]));
  }

  put(row: MessageRow): void {
    this.#newer.set(row.number, row);
    if (this.#newer.size < MOST_ROWS / 2) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  clear(): void {
    this.#newer = new Map();
    this.#older = new Map();
  }

  /** Few events name a message by its id only. */
  #numberById(messageId: string): number | undefined {
    for (const rows of [this.#newer, this.#older])
      for (const [number, row] of rows) if (row.messageId === messageId) return number;
    return undefined;
  }
}
