/** Reports what passed the tap only after its bytes have gone on, in the same order, so that reports do not slow the bytes down. */
import type { Clock } from '../ports/clock.ts';
import type { Moment } from '../ports/tap.ts';

/** Pause that a report waits for: one message passes in several hops within a millisecond, and a report in between delays the next hop. */
const QUIET_MS = 1;
/** Time between two looks for a pause while bytes pass: each look wakes the process between two hops. */
const RECHECK_MS = 3;
/** Longest delay of a report when bytes pass without a pause. */
const MAX_MS = 50;
/** Number of waiting reports from which on they no longer wait for a pause. */
const MAX_WAITING = 1_000;
/** Maximum number of bytes that waiting reports keep; beyond it all of them are made at once, before further bytes pass. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Reports made before the event loop gets its next turn; one more for each `ONE_MORE_FOR` that wait, so that a backlog shrinks. */
const AT_ONCE = 2;
const ONE_MORE_FOR = 64;

/** Number of finished entries after which the list is cut, as cutting it for each one would be slow. */
const MAX_MADE = 1_000;

interface Waiting {
  readonly at: Moment;
  readonly bytes: number;
  readonly make: () => void;
}

export class DeferredReports {
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  /** Index of the first report that was not made yet. */
  #next = 0;
  #bytes = 0;
  #isDue = false;
  /** Time at which the bytes of the current report passed; undefined: no report is being made. */
  #making: Moment | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Time at which something passes: now or, during a report, the time at which its bytes passed. */
  moment(): Moment {
    return this.#making ?? { ms: this.#clock.now(), mono: this.#clock.monotonic() };
  }

  /**
   * Calls `make` once bytes pause; during another report, at once.
   * @param bytes that are kept until then
   */
  defer(make: () => void, bytes = 0): void {
    if (this.#making !== undefined) {
      make();
      return;
    }
    this.#waiting.push({ at: this.moment(), bytes, make });
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES) this.flush();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#lookIn(QUIET_MS);
  }

  /** Makes all waiting reports: before a request is held, or when nothing more passes. */
  flush(): void {
    if (this.#making !== undefined) return;
    for (let left = this.#left; left > 0; left -= 1) this.#makeNext();
  }

  get #left(): number {
    return this.#waiting.length - this.#next;
  }

  #lookIn(ms: number): void {
    this.#clock.at(this.#clock.now() + ms, () => this.#look());
  }

  #look(): void {
    const [first, last] = [this.#waiting[this.#next], this.#waiting.at(-1)];
    const now = this.#clock.monotonic();
    const isBusy = last !== undefined && now - last.at.mono < QUIET_MS;
    const mayWait = first !== undefined && now - first.at.mono < MAX_MS && this.#left < MAX_WAITING;
    if (isBusy && mayWait) this.#lookIn(RECHECK_MS);
    else this.#makeSome();
  }

  #makeSome(): void {
    for (let left = AT_ONCE + Math.floor(this.#left / ONE_MORE_FOR); left > 0; left -= 1) this.#makeNext();
    this.#isDue = this.#left > 0;
    if (this.#isDue) setImmediate(() => this.#makeSome());
  }

  #makeNext(): void {
    const next = this.#waiting[this.#next];
    if (next === undefined) return;
    this.#next += 1;
    this.#bytes -= next.bytes;
    if (this.#next === this.#waiting.length || this.#next > MAX_MADE) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    this.#making = next.at;
    try {
      next.make();
    } finally {
      this.#making = undefined;
    }
  }
}
