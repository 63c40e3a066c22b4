/** Memory budget for bodies, in bytes. A request that does not fit waits its turn; one larger than the whole budget runs alone. */
export class ByteBudget {
  readonly #bytes: number;
  #used = 0;
  #waiting: { readonly bytes: number; readonly go: () => void }[] = [];

  /** @param bytes size of the budget */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Number of used bytes. */
  get used(): number {
    return this.#used;
  }

  /** Size of the budget in bytes. */
  get most(): number {
    return this.#bytes;
  }

  /** Reserves bytes; at once if there is room. Call the returned function once to release them. */
  enter(bytes: number): (() => void) | Promise<() => void> {
    if (this.enterNow(bytes)) return this.#left(bytes);
    return new Promise((resolve) => {
      const go = (): void => {
        this.#used += bytes;
        resolve(this.#left(bytes));
      };
      this.#waiting.push({ bytes, go });
    });
  }

  /**
   * Reserves bytes if there is room now.
   * @returns true: reserved, and the caller calls `leave` once to release them
   */
  enterNow(bytes: number): boolean {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  /** Calls `act` as soon as there is room for the bytes, and releases them when `act` has ended. */
  async run<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    const entered = this.enter(bytes);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await act();
    } finally {
      leave();
    }
  }

  leave(bytes: number): void {
    this.#used -= bytes;
    this.#next();
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#bytes;
  }

  #left(bytes: number): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.leave(bytes);
    };
  }

  #next(): void {
    for (
      let first = this.#waiting[0];
      first !== undefined && this.#fits(first.bytes);
      first = this.#waiting[0]
    ) {
      this.#waiting.shift();
      first.go();
    }
  }
}
