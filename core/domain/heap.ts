/**
 * Keeps items so that the first one in a given order is always at hand. Adding and taking take logarithmic
 * time.
 */
export class Heap<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  #items: T[] = [];

  /**
   * Makes an empty heap.
   * @param isBefore whether `one` comes out before `other`; false for equal ones
   */
  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The item that `pop` would take; undefined: the heap is empty. */
  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the first item out; undefined: the heap is empty. */
  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = items[child];
      if (below === undefined) break;
      const right = items[child + 1];
      if (right !== undefined && this.#isBefore(right, below)) {
        child += 1;
        below = right;
      }
      if (!this.#isBefore(below, last)) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return first;
  }

  /** Removes every item that is not wanted. */
  keep(isWanted: (item: T) => boolean): void {
    const left = this.#items.filter(isWanted);
    this.#items = [];
    for (const item of left) this.push(item);
  }

  clear(): void {
    this.#items = [];
  }
}
