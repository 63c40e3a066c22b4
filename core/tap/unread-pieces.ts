/** Pieces of one connection that went on and are not read yet, in their order. */
import type { DeferredReports, Waiting } from './deferred-reports.ts';

export class UnreadPieces {
  readonly #reports: DeferredReports;
  #pieces: Waiting[] = [];
  #isReading = false;
  /** Number of requests among the pieces, less that of answers. */
  unanswered = 0;

  constructor(reports: DeferredReports) {
    this.#reports = reports;
  }

  /** @param read reads the piece, which is a request or an answer */
  add(kind: 'request' | 'answer', bytes: Buffer, read: () => void): void {
    const more = kind === 'request' ? 1 : -1;
    this.unanswered += more;
    let isRead = false;
    const act = (): void => {
      isRead = true;
      this.#pieces.shift();
      this.unanswered -= more;
      this.#isReading = true;
      try {
        read();
      } finally {
        this.#isReading = false;
      }
    };
    const piece = this.#reports.passed(act, bytes.length);
    // Where too many bytes wait, `passed` reads all that waits at once, this piece too.
    if (!isRead) this.#pieces.push(piece);
  }

  /** Reads all pieces, before a decision that depends on them. */
  catchUp(): void {
    // Pieces that reading causes come behind those that passed before.
    if (this.#isReading) return;
    for (let [first] = this.#pieces; first !== undefined; [first] = this.#pieces)
      this.#reports.readNow(first);
  }
}
