/** A map that keeps only the newest entries. */

/** Keeps values by key. Setting a key again makes it the newest. */
export class Recent<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, V>();

  /**
   * Makes an empty map.
   * @param limit most entries, 1 or more
   */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
