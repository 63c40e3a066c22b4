/** A queue whose cost per item stays flat however long it gets. */
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

  /** Every item, oldest first, without taking any. */
  all(): T[] {
    return this.first(this.size);
  }

  /** The first `count` items, oldest first, without taking them. */
  first(count: number): T[] {
    const found: T[] = [];
    for (let i = this.#head; i < this.#items.length && found.length < count; i += 1) {
      const item = this.#items[i];
      if (item !== undefined) found.push(item);
    }
    return found;
  }
}
