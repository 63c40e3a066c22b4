/** A budget of memory for bodies, in bytes: who needs more than is left waits, in the order of asking. What is too large for all of it goes alone. */
export class ByteBudget {
  readonly #bytes: number;
  #used = 0;
  #waiting: { readonly bytes: number; readonly go: () => void }[] = [];

  /** @param bytes of all that may be in it at once */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Bytes that are in it now. */
  get used(): number {
    return this.#used;
  }

  /** Bytes that may be in it at once. */
  get most(): number {
    return this.#bytes;
  }

  /** Gives what is to be called once when the bytes are no longer needed; at once where there is room. */
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

  /** True: there was room at once, and whoever asked calls `leave` once when the bytes are no longer needed. */
  enterNow(bytes: number): boolean {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  /** Calls `act` once there is room for this many bytes, and frees them when it has ended. */
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
