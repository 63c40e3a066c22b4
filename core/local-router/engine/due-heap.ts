/** Things by the moment they are due, the earliest first; of equal moments the one with the lower number. */
interface Due<T> {
  readonly dueMs: number;
  readonly no: number;
  readonly item: T;
}

export class DueHeap<T> {
  readonly #heap: Due<T>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): Due<T> | undefined {
    return this.#heap[0];
  }

  push(due: Due<T>): void {
    this.#heap.push(due);
    let at = this.#heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfEarlier(at, parent)) return;
      at = parent;
    }
  }

  pop(): Due<T> | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return first;
    this.#heap[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#earlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, at)) return first;
      at = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    if (!this.#earlier(child, parent)) return false;
    const [one, other] = [this.#heap[child], this.#heap[parent]];
    if (one === undefined || other === undefined) return false;
    this.#heap[child] = other;
    this.#heap[parent] = one;
    return true;
  }

  #earlier(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.dueMs === b.dueMs ? a.no < b.no : a.dueMs < b.dueMs;
  }
}
