/** What was published from here and may not have been handed to its group yet: asked for when a server has lost its data. */

/** Beyond it the oldest are forgotten: memory does not grow with what waits at the server. */
const MOST = 100_000;

/** What one group has not read of one topic. A key is the server's: the id of an entry, the number of a message. */
export class Unread {
  readonly #messageIds = new Map<string, { readonly messageId: string; readonly mark: number }>();
  #mark = 0;

  get size(): number {
    return this.#messageIds.size;
  }

  /** The server has it. Told after it was seen, it stays until the group has caught up: that does no harm. */
  published(key: string, messageId: string): void {
    this.#mark += 1;
    this.#messageIds.set(key, { messageId, mark: this.#mark });
    if (this.#messageIds.size <= MOST) return;
    for (const oldest of this.#messageIds.keys()) {
      this.#messageIds.delete(oldest);
      return;
    }
  }

  /** Notes that a message was handed over here. */
  seen(key: string): void {
    this.#messageIds.delete(key);
  }

  /** True where a message was published before this mark and not handed over here. */
  hasBefore(mark: number): boolean {
    for (const one of this.#messageIds.values()) return one.mark <= mark;
    return false;
  }

  /** To be taken before a read is sent. */
  mark(): number {
    return this.#mark;
  }

  /** A read that was sent at this mark found nothing more: all before it were handed to somebody of the group. */
  caughtUp(mark: number): void {
    for (const [key, one] of this.#messageIds) {
      if (one.mark > mark) return;
      this.#messageIds.delete(key);
    }
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
    // Not before all was asked: what was taken out when a later question is rejected would never be told.
    return gone.filter(([key]) => this.#messageIds.delete(key)).map(([, { messageId }]) => messageId);
  }
}

const SLICE = 500;
