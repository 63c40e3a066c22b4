interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/** Memory budget for bodies, in bytes. A request that does not fit waits its turn; one larger than the whole budget runs alone. */
export class ByteBudget {
  readonly #bytes: number;
  #used = 0;
  #waiting: Waiting[] = [];

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
    return this.#turn(bytes).then(() => this.#left(bytes));
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

  /**
   * Calls `act` as soon as there is room for the bytes, and releases them when `act` has ended.
   * @param signal aborted while the request still waits: it leaves the queue, and its reason is thrown
   */
  async run<T>(bytes: number, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.enterNow(bytes)) await this.#turn(bytes, signal);
    try {
      return await act();
    } finally {
      this.leave(bytes);
    }
  }

  /** Resolves when the bytes are reserved. */
  #turn(bytes: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', giveUp);
        this.#used += bytes;
        resolve();
      };
      const waiting: Waiting = { bytes, go };
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        // Smaller ones behind it may have room.
        this.#next();
        const reason = signal?.reason;
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
    });
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
