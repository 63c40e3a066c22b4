/** A map that keeps a number of entries: the oldest one goes where there is no room for a new one. */

export class NewestMap<V> {
  readonly #max: number;
  readonly #all = new Map<string, V>();
  /**
   * Goes on from the entry that went last. From its beginning a map would be searched through the places of all that were removed from it:
   * 10 to 30 microseconds for each new entry beside 20,000 others. Undefined: the next search begins there all the same. An iterator that
   * rests would keep every table that the map had since.
   */
  #oldest: IterableIterator<[key: string, value: V]> | undefined;

  /** @param max number of entries that are kept */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#all.size;
  }

  has(key: string): boolean {
    return this.#all.has(key);
  }

  get(key: string): V | undefined {
    return this.#all.get(key);
  }

  delete(key: string): void {
    if (this.#all.delete(key)) this.#oldest = undefined;
  }

  clear(): void {
    this.#all.clear();
    this.#oldest = undefined;
  }

  /** The entries, oldest first. */
  [Symbol.iterator](): IterableIterator<[key: string, value: V]> {
    return this.#all.entries();
  }

  /**
   * Adds an entry; one that has this key already becomes the newest.
   * @returns the entry that had to go; undefined: there was room
   */
  add(key: string, value: V): readonly [key: string, value: V] | undefined {
    this.delete(key);
    this.#all.set(key, value);
    if (this.#all.size <= this.#max) return undefined;
    this.#oldest ??= this.#all.entries();
    const oldest = this.#oldest.next();
    if (oldest.done === true) return undefined;
    this.#all.delete(oldest.value[0]);
    return oldest.value;
  }
}
