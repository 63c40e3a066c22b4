/**
 * A body as it comes. Each piece takes far more memory than its bytes and keeps the buffer that it was read into: a body of 4 MiB
 * in pieces of one byte would take half a gigabyte. Pieces are joined, a few at a time.
 */

/** Pieces that are kept as they came. */
const MOST_APART = 64;

export class Pieces<B extends { readonly length: number }> {
  readonly #join: (pieces: readonly B[]) => B;
  #joined: B[] = [];
  #apart: B[] = [];
  /** Bytes of all that came. */
  length = 0;

  /** @param join copies bytes into one piece of their own */
  constructor(join: (pieces: readonly B[]) => B) {
    this.#join = join;
  }

  /** What came, in its order, in fewer pieces. */
  get all(): readonly B[] {
    return [...this.#joined, ...this.#apart];
  }

  add(piece: B): void {
    this.length += piece.length;
    this.#apart.push(piece);
    if (this.#apart.length < MOST_APART) return;
    this.#joined.push(this.#join(this.#apart));
    this.#apart = [];
  }

  /** All that came, copied. */
  whole(): B {
    return this.#join(this.all);
  }

  clear(): void {
    this.#joined = [];
    this.#apart = [];
    this.length = 0;
  }
}
