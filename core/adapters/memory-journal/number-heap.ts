/** Numbers of which the lowest comes out first. */
export class NumberHeap {
  readonly #items: number[] = [];

  get lowest(): number | undefined {
    return this.#items[0];
  }

  push(number: number): void {
    const items = this.#items;
    let at = items.push(number) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? -Infinity;
      if (above <= number) break;
      items[at] = above;
      at = parent;
    }
    items[at] = number;
  }

  /** Takes the lowest out. */
  pop(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = (items[left + 1] ?? Infinity) < (items[left] ?? Infinity) ? left + 1 : left;
      const below = items[child] ?? Infinity;
      if (below >= last) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
  }

  clear(): void {
    this.#items.length = 0;
  }
}
