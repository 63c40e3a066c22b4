/** What passed is told after its bytes have gone on, in the order in which it passed. */
import type { Clock } from '../ports/clock.ts';
import type { Moment } from '../ports/tap.ts';

/** A message passes in several hops a fraction of a millisecond apart: what is told in between delays the next hop. */
const QUIET_MS = 1;
/** Where bytes pass without a pause, what passed is told this long after. */
const LONGEST_MS = 10;
/** Most things that are told without waiting for a pause. */
const MOST_WAITING = 1_000;
/** Bytes of what waits; beyond it all of it is told before further bytes pass. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Told between two looks for bytes, and one more for each this many that wait, so that the waiting bytes do not grow for long. */
const AT_ONCE = 8;
const ONE_MORE_FOR = 64;

/** Places of the list that are given back together. */
const MOST_TOLD = 1_000;

interface Untold {
  readonly at: Moment;
  readonly bytes: number;
  readonly tell: () => void;
}

export class Behind {
  readonly #clock: Clock;
  #waiting: Untold[] = [];
  /** Place of the first one that was not told yet. */
  #next = 0;
  #bytes = 0;
  #isDue = false;
  /** When the bytes passed that are being told. */
  #telling: Moment | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When something passes: now, or, while it is told, when its bytes passed. */
  moment(): Moment {
    return this.#telling ?? { ms: this.#clock.now(), mono: this.#clock.monotonic() };
  }

  /**
   * Calls `tell` once bytes pause. What is being told already goes on at once.
   * @param bytes that are kept until then
   */
  later(tell: () => void, bytes = 0): void {
    if (this.#telling !== undefined) {
      tell();
      return;
    }
    this.#waiting.push({ at: this.moment(), bytes, tell });
    this.#bytes += bytes;
    if (this.#bytes > MOST_BYTES) this.tellNow();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#lookLater();
  }

  /** Tells everything that waits: before a request is held, or when nothing more passes. */
  tellNow(): void {
    if (this.#telling !== undefined) return;
    for (let left = this.#left; left > 0; left -= 1) this.#tellNext();
  }

  get #left(): number {
    return this.#waiting.length - this.#next;
  }

  #lookLater(): void {
    this.#clock.at(this.#clock.now() + QUIET_MS, () => this.#look());
  }

  #look(): void {
    const [first, last] = [this.#waiting[this.#next], this.#waiting.at(-1)];
    const now = this.#clock.monotonic();
    const isBusy = last !== undefined && now - last.at.mono < QUIET_MS;
    const mayWait = first !== undefined && now - first.at.mono < LONGEST_MS && this.#left < MOST_WAITING;
    if (isBusy && mayWait) this.#lookLater();
    else this.#some();
  }

  #some(): void {
    for (let left = AT_ONCE + Math.floor(this.#left / ONE_MORE_FOR); left > 0; left -= 1) this.#tellNext();
    this.#isDue = this.#left > 0;
    if (this.#isDue) setImmediate(() => this.#some());
  }

  #tellNext(): void {
    const untold = this.#waiting[this.#next];
    if (untold === undefined) return;
    this.#next += 1;
    this.#bytes -= untold.bytes;
    if (this.#next === this.#waiting.length || this.#next > MOST_TOLD) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    this.#telling = untold.at;
    try {
      untold.tell();
    } finally {
      this.#telling = undefined;
    }
  }
}
