/** A queue whose cost per item does not grow with its length. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head >= this.#items.length) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Visits the items, oldest first, until `isFound` is true; returns whether it was. Nothing is copied, as a queue may be long. */
  some(isFound: (item: T) => boolean): boolean {
    for (let i = this.#head; i < this.#items.length; i += 1) {
      const item = this.#items[i];
      if (item !== undefined && isFound(item)) return true;
    }
    return false;
  }

  /** The first `count` items, oldest first; they stay in the queue. */
  first(count: number): T[] {
    const found: T[] = [];
    for (let i = this.#head; i < this.#items.length && found.length < count; i += 1) {
      const item = this.#items[i];
      if (item !== undefined) found.push(item);
    }
    return found;
  }
}
