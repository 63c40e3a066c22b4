/** Rows that will be shown soon, updated by events, so that showing them needs no request. */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { NotedEvent } from '../../runtime/api.ts';
import { withDeliveries } from '../stream/pack.ts';

/** Maximum number of cached rows: the newest rows of a view, and room for older ones that still change. */
const MAX_ROWS = 4000;

export class RowCache {
  /**
   * Rows by number: the latest, and those before them, which are dropped all at once. Dropping the oldest row of a single map each time
   * would be slow, because finding its first key takes longer with each key that was removed before it.
   */
  #newer = new Map<number, MessageRow>();
  #older = new Map<number, MessageRow>();

  get(number: number): MessageRow | undefined {
    return this.#newer.get(number) ?? this.#older.get(number);
  }

  /** Number of the message that an event is about; undefined: it is about none, or the message is not known here. */
  numberOf({ number, messageId }: NotedEvent): number | undefined {
    return number ?? (messageId === undefined ? undefined : this.#numberById(messageId));
  }

  /** Takes the change of an event into the row of this message; a row that is not here is not fetched. */
  apply(number: number, event: ConsoleEvent): void {
    const row = changedRow(this.get(number), event);
    if (row !== undefined) this.put(row);
  }

  put(row: MessageRow): void {
    this.#newer.set(row.number, row);
    if (this.#newer.size < MAX_ROWS / 2) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /** Drops a row that has changed and is not shown. */
  forget(number: number): void {
    this.#newer.delete(number);
    this.#older.delete(number);
  }

  clear(): void {
    this.#newer = new Map();
    this.#older = new Map();
  }

  /** Searches all rows for a message id, which is fast enough because few events name a message by id only. */
  #numberById(messageId: string): number | undefined {
    for (const rows of [this.#newer, this.#older])
      for (const [number, row] of rows) if (row.messageId === messageId) return number;
    return undefined;
  }
}

/** The row after an event about its message; undefined: it is not known. */
export function changedRow(row: MessageRow | undefined, event: ConsoleEvent): MessageRow | undefined {
  if (event.type === 'message.added') return event.row;
  if (event.type !== 'delivery.changed' || row === undefined) return row;
  return withDeliveries(row, [event.delivery]);
}
