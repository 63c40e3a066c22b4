/** Limits the rate of all callers together, per second. */
import { setTimeout as sleep } from 'node:timers/promises';
export class Pace {
  readonly #everyMs: number;
  #nextMs = 0;

  constructor(perSecond: number) {
    this.#everyMs = 1000 / perSecond;
  }

  /** Resolves when it is the caller's turn. */
  async next(): Promise<void> {
    const now = performance.now();
    this.#nextMs = Math.max(this.#nextMs, now) + this.#everyMs;
    const wait = this.#nextMs - this.#everyMs - now;
    if (wait > 0) await sleep(wait);
  }
}
