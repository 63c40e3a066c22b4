/** Counts the calls that an app has open at the same time. */
export class AtOnce {
  readonly #now = new Map<string, number>();
  readonly #most = new Map<string, number>();

  /**
   * A call of this path begins.
   * @returns to be called at its end; further times change nothing
   */
  begin(path: string): () => void {
    let isOver = false;
    for (const key of [path, '']) this.#count(key, 1);
    return () => {
      if (isOver) return;
      isOver = true;
      for (const key of [path, '']) this.#count(key, -1);
    };
  }

  /** Most calls that were open at once: of one path, or of all with "". */
  most(path: string): number {
    return this.#most.get(path) ?? 0;
  }

  #count(key: string, by: 1 | -1): void {
    const now = (this.#now.get(key) ?? 0) + by;
    this.#now.set(key, now);
    this.#most.set(key, Math.max(this.#most.get(key) ?? 0, now));
  }
}
