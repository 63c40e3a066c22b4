/**
 * Bounds what has come of requests that are not complete, of all clients together: bodies over HTTP, frames of WebSockets, and texts that
 * come in parts. Each has a limit of its own, but a hundred of them just below it would fill the memory.
 */
import { sizeLimit } from '../contract/size-text.ts';
import { Refusal } from '../domain/refusal.ts';

/** What has come of one request. */
export interface IncompleteText {
  /** Counts what has come, less than before if it is negative. */
  add(bytes: number): void;
  /** The request is complete, refused or broken off; what comes next is another one. */
  end(): void;
}

interface Counted {
  bytes: number;
  readonly drop: (refusal: Refusal) => void;
}

export class IncompleteTexts {
  readonly #most: number;
  readonly #all = new Set<Counted>();
  #bytes = 0;

  /** @param most maximum number of bytes of all incomplete requests */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of bytes that are counted. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins to count the requests of one client, one after another.
   * @param drop forgets what has come of the present one: all together have too much, and this one has the most
   */
  begin(drop: (refusal: Refusal) => void): IncompleteText {
    const counted: Counted = { bytes: 0, drop };
    return {
      add: (bytes) => this.#add(counted, bytes),
      end: () => this.#end(counted),
    };
  }

  #add(counted: Counted, bytes: number): void {
    this.#all.add(counted);
    const more = Math.max(bytes, -counted.bytes);
    counted.bytes += more;
    this.#bytes += more;
    while (this.#bytes > this.#most) this.#dropLargest();
  }

  #end(counted: Counted): void {
    if (!this.#all.delete(counted)) return;
    this.#bytes -= counted.bytes;
    counted.bytes = 0;
  }

  #dropLargest(): void {
    let largest: Counted | undefined;
    for (const one of this.#all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
    if (largest === undefined) throw new Error('incomplete requests without bytes take room');
    this.#end(largest);
    const expected = `at most ${sizeLimit(this.#most)} of requests that are not complete, of all clients`;
    const reason = `There is room for ${expected}, and this one had the most.`;
    largest.drop(new Refusal('TOO_LARGE', { reason }, { expected }));
  }
}
