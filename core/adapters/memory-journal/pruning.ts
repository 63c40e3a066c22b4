/** Which message may go next: the oldest one that has ended and is not pinned. */
import { Heap } from '../../domain/heap.ts';
import type { Retention } from '../../ports/journal.ts';
import type { Entry } from './entry.ts';
import { isPrunable } from './entry.ts';
import type { History } from './history.ts';

/**
 * Walks the history once, from its old end. Open and pinned messages are skipped, and reported back when they may go, so that no
 * message is checked again and again while it has to stay.
 */
export class Pruning {
  readonly #history: History;
  /** Numbers up to here were looked at. */
  #passed = 0;
  /** Numbers of messages that were passed by, and may go by now. */
  readonly #waiting = new Set<number>();
  readonly #back = new Heap<number>((one, other) => one < other);

  constructor(history: History) {
    this.#history = history;
  }

  /** Call it after every change that may allow a message to be removed. */
  changed(entry: Entry): void {
    const { number } = entry.row;
    if (number > this.#passed || this.#waiting.has(number) || !isPrunable(entry)) return;
    this.#waiting.add(number);
    this.#back.push(number);
  }

  oldest(): Entry | undefined {
    return this.#oldestBack() ?? this.#oldestAhead();
  }

  /** Skips the message that `oldest` returned: for good if it is removed, otherwise until `changed` is called for it. */
  passBy({ row: { number } }: Entry): void {
    if (this.#waiting.delete(number)) this.#back.pop();
    else this.#passed = number;
  }

  clear(): void {
    this.#back.clear();
    this.#waiting.clear();
  }

  #oldestBack(): Entry | undefined {
    for (;;) {
      const { first: lowest } = this.#back;
      if (lowest === undefined) return undefined;
      const entry = this.#history.get(lowest);
      if (entry !== undefined && isPrunable(entry)) return entry;
      this.#waiting.delete(lowest);
      this.#back.pop();
    }
  }

  #oldestAhead(): Entry | undefined {
    for (;;) {
      const entry = this.#history.after(this.#passed, 'oldest');
      if (entry === undefined || isPrunable(entry)) return entry;
      this.#passed = entry.row.number;
    }
  }
}

/** True when a message is beyond the limits: too many messages, too many bytes, or too old. */
export function isBeyond(keep: Retention, { row }: Entry, messages: number, bytes: number): boolean {
  if (messages > keep.maxMessages || bytes > keep.maxBytes) return true;
  return keep.olderThanMs > 0 && Date.parse(row.at) < keep.olderThanMs;
}
