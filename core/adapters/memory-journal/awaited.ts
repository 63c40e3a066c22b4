/** Messages without a delivery yet: a tap sees it pass soon, or a broker hands it over, so they stay objects for a while. */
import type { Entry } from './entry.ts';

/** Later messages that may come before an awaited one is given up. */
const MOST = 1_000;

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
    this.#next = (this.#next + 1) % MOST;
    return oldest;
  }
}
