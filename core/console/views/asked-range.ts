/** The range of a view that its client asked for last. A range may take several answers, each of which says where the next one begins. */
export class AskedRange {
  #from = 0;
  #count = 0;
  #next: number | undefined;

  has(position: number): boolean {
    return position >= this.#from && position < this.#from + this.#count;
  }

  /** The part of it that a view of so many lines has; empty where `to` is not above `from`. */
  within(total: number): { readonly from: number; readonly to: number } {
    return { from: Math.max(0, this.#from), to: Math.min(total, this.#from + this.#count) };
  }

  /**
   * Notes what the client asks for.
   * @returns false: the rest of the range, which stays as it was
   */
  ask(from: number, count: number): boolean {
    if (from === this.#next && from + count <= this.#from + this.#count) return false;
    this.#from = from;
    this.#count = count;
    return true;
  }

  /** Follows rows before the range that came or went. */
  shift(by: number): void {
    this.#from += by;
    if (this.#next !== undefined) this.#next += by;
  }

  /** @param next position at which the rest of the range begins; undefined: the answer had all of it */
  answered(next: number | undefined): void {
    this.#next = next;
  }
}
