/** What passed is told after its bytes have gone on, in the order in which it passed. */
import type { Clock } from '../ports/clock.ts';
import type { Moment } from '../ports/tap.ts';

/** Between two looks for bytes one thing is told, and one more for each so many that wait: so what waits does not grow for long. */
const ONE_MORE_FOR = 64;

/** Places of the list that are given back together. */
const MOST_TOLD = 1_000;

export class Behind {
  readonly #clock: Clock;
  #waiting: (() => void)[] = [];
  /** Place of the first one that was not told yet. */
  #next = 0;
  #isDue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When something passes now. */
  moment(): Moment {
    return { ms: this.#clock.now(), mono: this.#clock.monotonic() };
  }

  /** Calls `tell` once no bytes are there that could go on. */
  later(tell: () => void): void {
    this.#waiting.push(tell);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#some());
  }

  /** Tells everything that waits: before a request is held, or when nothing more passes. */
  tellNow(): void {
    for (let left = this.#left; left > 0; left -= 1) this.#tellNext();
  }

  get #left(): number {
    return this.#waiting.length - this.#next;
  }

  #some(): void {
    for (let left = 1 + Math.floor(this.#left / ONE_MORE_FOR); left > 0; left -= 1) this.#tellNext();
    this.#isDue = this.#left > 0;
    if (this.#isDue) setImmediate(() => this.#some());
  }

  #tellNext(): void {
    const tell = this.#waiting[this.#next];
    if (tell === undefined) return;
    this.#next += 1;
    if (this.#next === this.#waiting.length || this.#next > MOST_TOLD) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    tell();
  }
}
