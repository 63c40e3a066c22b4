/** Writes lines to a stream whose reader may be slow, or may never read: what waits for it is bounded. */

/** A stream such as stdout. */
export interface OutputStream {
  /** What waits for the reader. */
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Maximum number of characters that wait for a slow reader; later lines are counted and left out. */
const MAX_WAITING = 4 * 1024 * 1024;

export class LineOutput {
  readonly #stream: OutputStream;
  readonly #noteOf: (left: number) => string;
  #left = 0;

  /**
   * Makes the output.
   * @param noteOf line that stands in place of those that were left out
   */
  constructor(stream: OutputStream, noteOf: (left: number) => string) {
    this.#stream = stream;
    this.#noteOf = noteOf;
  }

  /** @param text one line without its end */
  line(text: string): void {
    this.lines([text]);
  }

  /** Writes several lines at once, which takes less time than each alone. */
  lines(texts: readonly string[]): void {
    if (this.#stream.writableLength > MAX_WAITING) {
      this.#left += texts.length;
      return;
    }
    this.end();
    this.#stream.write(`${texts.join('\n')}\n`);
  }

  /** Writes how many lines are left out since the last one, if any are. */
  end(): void {
    if (this.#left > 0) this.#stream.write(`${this.#noteOf(this.#left)}\n`);
    this.#left = 0;
  }
}

/**
 * Text of a note about lines that were left out.
 * @param slow what did not take them in time
 */
export function leftOut(left: number, slow = 'the reader of this output'): string {
  return `${left === 1 ? '1 line is' : `${left} lines are`} left out: ${slow} is too slow`;
}
