/** A bounded list of the newest items. */

export class Recent<T> {
  readonly #most: number;
  readonly #items: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(item: T): void {
    this.#items.unshift(item);
    if (this.#items.length > this.#most) this.#items.pop();
  }

  /** The items, newest first. */
  list(): readonly T[] {
    return [...this.#items];
  }
}
