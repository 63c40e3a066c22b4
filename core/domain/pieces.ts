/**
 * Collects a body while it arrives. Each piece takes far more memory than its bytes and keeps the buffer that
 * it was read into: a body of 4 MiB in pieces of one byte would take half a gigabyte. So a few pieces at a
 * time are joined.
 */

/** Maximum number of pieces that are kept without being joined. */
const MAX_APART = 64;

/** Whether a piece keeps more than twice its bytes in memory, because it is a small part of the buffer that it was read into. */
export function keepsMore({ length, buffer }: Uint8Array): boolean {
  return length < buffer.byteLength / 2;
}

export class Pieces<B extends { readonly length: number }> {
  readonly #join: (pieces: readonly B[]) => B;
  #joined: B[] = [];
  #apart: B[] = [];
  /** Bytes of all pieces. */
  length = 0;

  /**
   * Makes an empty body.
   * @param join copies bytes into one new piece
   */
  constructor(join: (pieces: readonly B[]) => B) {
    this.#join = join;
  }

  /** The body so far, in order, in fewer pieces. */
  get all(): readonly B[] {
    return [...this.#joined, ...this.#apart];
  }

  add(piece: B): void {
    this.length += piece.length;
    this.#apart.push(piece);
    if (this.#apart.length < MAX_APART) return;
    this.#joined.push(this.#join(this.#apart));
    this.#apart = [];
  }

  /** A copy of the whole body. */
  whole(): B {
    return this.#join(this.all);
  }

  clear(): void {
    this.#joined = [];
    this.#apart = [];
    this.length = 0;
  }
}
