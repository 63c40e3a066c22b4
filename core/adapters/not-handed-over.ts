/** Messages published by this instance that their group may not have received. They are asked for when a server has lost its data. */

/** Maximum number of messages; the oldest are forgotten. Otherwise messages that wait at the server would fill memory. */
const MAX = 100_000;

interface Published {
  readonly messageId: string;
  readonly mark: number;
}

/** Messages of one topic that one group may not have received. A key is the server's: the id of an entry, the number of a message. */
export class NotHandedOver {
  readonly #messageIds = new Map<string, Published>();
  /** Messages whose key the server has since given to another message: it has lost them. Oldest first. */
  #replaced: Published[] = [];
  #mark = 0;

  get size(): number {
    return this.#messageIds.size + this.#replaced.length;
  }

  /** Notes a stored message. One that was already seen stays noted until the group has caught up, which does no harm. */
  published(key: string, messageId: string): void {
    this.#mark += 1;
    const before = this.#messageIds.get(key);
    if (before !== undefined) this.#messageIds.delete(key);
    // A server that has lost everything numbers from the beginning, and may give the same id within a millisecond.
    if (before !== undefined && before.messageId !== messageId) this.#replaced.push(before);
    this.#messageIds.set(key, { messageId, mark: this.#mark });
    if (this.size <= MAX) return;
    if (this.#replaced.shift() !== undefined) return;
    for (const oldest of this.#messageIds.keys()) {
      this.#messageIds.delete(oldest);
      return;
    }
  }

  /**
   * Notes that a message was delivered here.
   * @returns whether it was noted as published
   */
  seen(key: string): boolean {
    return this.#messageIds.delete(key);
  }

  /** True if a message was published before this mark and not delivered here. */
  hasBefore(mark: number): boolean {
    if (this.#replaced.some((one) => one.mark <= mark)) return true;
    for (const one of this.#messageIds.values()) return one.mark <= mark;
    return false;
  }

  /** Key of the oldest message that the server may still have; undefined: none. */
  get oldest(): string | undefined {
    for (const key of this.#messageIds.keys()) return key;
    return undefined;
  }

  /** True if the server has given the key of one of the messages to another message. */
  get hasReplaced(): boolean {
    return this.#replaced.length > 0;
  }

  /** Mark of the newest publish; take it before a read is sent. */
  mark(): number {
    return this.#mark;
  }

  /**
   * Called when a read that was sent at this mark found nothing more: consumers of the group have received all messages before it.
   * @returns keys of these messages
   */
  caughtUp(mark: number): readonly string[] {
    const keys: string[] = [];
    for (const [key, one] of this.#messageIds) {
      if (one.mark > mark) break;
      this.#messageIds.delete(key);
      keys.push(key);
    }
    return keys;
  }

  /**
   * Takes out what the server does not have any more, and gives the message ids, in the order of their publishes.
   * @param isThere asked with some keys at a time; rejects when the server cannot be asked, and then all stay
   * @param mark only of what was published before it
   */
  async lost(
    isThere: (keys: readonly string[]) => Promise<readonly boolean[]>,
    mark = this.#mark,
  ): Promise<readonly string[]> {
    const all = [...this.#messageIds].filter(([, one]) => one.mark <= mark);
    const gone: (typeof all)[number][] = [];
    for (let from = 0; from < all.length; from += SLICE) {
      const some = all.slice(from, from + SLICE);
      const there = await isThere(some.map(([key]) => key));
      gone.push(...some.filter((_, i) => there[i] !== true));
    }
    // Removed only after all questions were answered: a message removed before a rejected question would never be reported.
    const lost = [
      ...this.#replaced.filter((one) => one.mark <= mark),
      ...gone
        .filter(([key, one]) => this.#messageIds.get(key) === one && this.#messageIds.delete(key))
        .map(([, one]) => one),
    ];
    this.#replaced = this.#replaced.filter((one) => one.mark > mark);
    return lost.toSorted((a, b) => a.mark - b.mark).map(({ messageId }) => messageId);
  }
}

const SLICE = 500;
