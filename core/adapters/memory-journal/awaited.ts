/** Messages without a delivery yet. One is expected soon, from a tap or a broker, so they stay unpacked for a while. */
import type { Entry } from './entry.ts';

/** Number of later messages after which a message is no longer awaited. */
const MAX = 1_000;

export class Awaited {
  /** Numbers in a ring, oldest at `#next`. */
  readonly #numbers: number[] = [];
  #next = 0;

  static is({ deliveries }: Entry): boolean {
    return deliveries.length === 0;
  }

  /** @returns the number of one that is no longer awaited; undefined: there is room */
  add(number: number): number | undefined {
    const oldest = this.#numbers[this.#next];
    this.#numbers[this.#next] = number;
    this.#next = (this.#next + 1) % MAX;
    return oldest;
  }
}
