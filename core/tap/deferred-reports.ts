/** Reports what passed the tap only after its bytes have gone on, in the same order, so that reports do not slow the bytes down. */
import type { Clock } from '../ports/clock.ts';
import type { Moment } from '../ports/tap.ts';

/** Pause that a report waits for: one message passes in several hops within a millisecond, and a report in between delays the next hop. */
const QUIET_MS = 1;
/** Time between two looks for a pause while bytes pass: each look wakes the process between two hops. */
const RECHECK_MS = 3;
/** Time that a report waits for a pause. */
const MAX_MS = 500;
/**
 * Number of waiting reports, and of bytes that they keep, from which on they no longer wait for a pause. A decision of a hold waits until
 * all of them are made.
 */
const MAX_WAITING = 4_000;
const MAX_PATIENT_BYTES = 4 * 1024 * 1024;
/** Bytes that count like a report. */
const LIKE_A_REPORT = 1024;
/** Maximum number of bytes that waiting reports keep; beyond it all of them are made at once, before further bytes pass. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Reports made before the event loop gets its next turn; more of them the more of them wait, or the later they are, so that a backlog shrinks. */
const AT_ONCE = 2;
const ONE_MORE_FOR = 64;
const ONE_MORE_BEYOND = 16;
const ONE_MORE_MS = 8;

/** Reports, and bytes that they keep, after which the event loop gets its next turn where an event of another tap waits for all of them. */
const IN_A_TURN = 100;
const TURN_BYTES = 1024 * 1024;

/** Number of finished entries after which the list is cut, as cutting it for each one would be slow. */
const MAX_MADE = 1_000;

/** Something that passed and is not reported yet. */
export interface Waiting {
  readonly at: Moment;
  readonly bytes: number;
  make: () => void;
}

/** A report that is being made, or bytes that are being read, and when they passed. */
interface Making {
  readonly at: Moment;
  /** Takes the reports of bytes that are read before their turn; undefined: reports are made at once. */
  readonly later: (() => void)[] | undefined;
}

/** Something that waits until the reports of what passed before are made. */
interface AwaitedReports {
  readonly untilMono: number;
  readonly made: () => void;
  readonly failed: (cause: unknown) => void;
}

export class DeferredReports {
  readonly #clock: Clock;
  readonly #failed: (cause: unknown) => void;
  #waiting: Waiting[] = [];
  /** Index of the first report that was not made yet. */
  #next = 0;
  #bytes = 0;
  /** When that passed whose report was made, or failed, last. */
  #reachedMono = 0;
  /** A look at what waits is planned. */
  #isLooking = false;
  #making: Making | undefined;
  /** What waits for reports that are made in turns; [] = no turn is planned. */
  #awaited: AwaitedReports[] = [];

  /** @param failed takes the error of a report that fails, unless an event of another tap waits for it */
  constructor(clock: Clock, failed: (cause: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  /** Time at which something passes: now or, during a report, the time at which its bytes passed. */
  moment(): Moment {
    return this.#making?.at ?? { ms: this.#clock.now(), mono: this.#clock.monotonic() };
  }

  /**
   * Calls `make` once bytes pause; during another report, at once.
   * @param bytes that are kept until then
   */
  defer(make: () => void, bytes = 0): void {
    if (this.#making === undefined) this.passed(make, bytes);
    else if (this.#making.later === undefined) make();
    else this.#making.later.push(make);
  }

  /**
   * As `defer`, outside of other reports. Beyond 32 MiB everything that waits is made before this returns, the new piece too.
   * @param read reads bytes that have gone on, and defers what is to be reported of them
   * @returns for `readNow`
   */
  passed(read: () => void, bytes: number): Waiting {
    const one: Waiting = { at: this.moment(), bytes, make: read };
    this.#waiting.push(one);
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES) this.flush();
    if (!this.#isLooking) {
      this.#isLooking = true;
      this.#lookIn(QUIET_MS);
    }
    return one;
  }

  /** Reads bytes before their turn, because something depends on them. What is to be reported of them keeps its place. */
  readNow(one: Waiting): void {
    const later: (() => void)[] = [];
    const read = one.make;
    one.make = () => {
      for (const make of later) make();
    };
    this.#during({ at: one.at, later }, read);
  }

  /** Makes all waiting reports: before a request is held, or when nothing more passes. */
  flush(): void {
    if (this.#making === undefined) this.#makeSome(this.#left);
  }

  /** Makes the oldest reports; one that fails keeps no other from being made. */
  #makeSome(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      try {
        this.#makeNext();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  /**
   * Makes the waiting reports, at most 100 of them or 1 MiB in a turn of the event loop. One run makes them for all that wait, so that many
   * of these take no more turns than one. During a report nothing is made: what passed before is made already.
   * @param untilMono reports of what passed later go on waiting; absent: of what passes from now on
   * @returns undefined: all are made. A report that fails becomes a rejection, which ends nothing where nobody holds the promise: its
   * caller may fail itself before it waits.
   */
  flushInTurns(untilMono = this.#waiting.at(-1)?.at.mono ?? 0): Promise<void> | undefined {
    if (this.#making !== undefined || this.#isMade(untilMono)) return undefined;
    const isRunning = this.#awaited.length > 0;
    let told: Promise<void>;
    try {
      if (!isRunning && this.#areMade(untilMono)) return undefined;
      told = new Promise((made, failed) => this.#awaited.push({ untilMono, made, failed }));
      if (!isRunning) setImmediate(this.#turn);
    } catch (error) {
      told = Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    told.catch(() => undefined);
    return told;
  }

  readonly #turn = (): void => {
    const last = this.#awaited.reduce((most, { untilMono }) => Math.max(most, untilMono), 0);
    try {
      this.#areMade(last);
    } catch (error) {
      // A report that fails is told to the first that waits for it; the others go on.
      const first = this.#awaited.findIndex(({ untilMono }) => untilMono >= this.#reachedMono);
      for (const { failed } of this.#awaited.splice(first, 1)) failed(error);
    }
    const all = this.#awaited;
    this.#awaited = all.filter(({ untilMono }) => !this.#isMade(untilMono));
    for (const { untilMono, made } of all) if (this.#isMade(untilMono)) made();
    if (this.#awaited.length > 0) setImmediate(this.#turn);
  };

  /** Whether all reports of what passed until then are made. */
  #isMade(untilMono: number): boolean {
    const next = this.#waiting[this.#next];
    return next === undefined || next.at.mono > untilMono;
  }

  /** Makes the reports of one turn; true: none is left. */
  #areMade(untilMono: number): boolean {
    let bytes = 0;
    for (let made = 0; ; made += 1) {
      const next = this.#waiting[this.#next];
      if (next === undefined || this.#isMade(untilMono)) return true;
      if (made === IN_A_TURN || bytes > TURN_BYTES) return false;
      bytes += next.bytes;
      this.#makeNext();
    }
  }

  get #left(): number {
    return this.#waiting.length - this.#next;
  }

  #lookIn(ms: number): void {
    this.#clock.at(this.#clock.now() + ms, this.#look);
  }

  readonly #look = (): void => {
    const due = this.#due();
    this.#makeSome(due);
    if (this.#left === 0) this.#isLooking = false;
    else if (due > 0) setImmediate(this.#look);
    else this.#lookIn(RECHECK_MS);
  };

  /** Number of reports to make before the event loop gets its next turn. */
  #due(): number {
    const [first, last] = [this.#waiting[this.#next], this.#waiting.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const now = this.#clock.monotonic();
    if (now - last.at.mono >= QUIET_MS) return AT_ONCE + Math.floor(this.#left / ONE_MORE_FOR);
    const lateMs = now - first.at.mono - MAX_MS;
    const tooMany = Math.max(this.#left - MAX_WAITING, (this.#bytes - MAX_PATIENT_BYTES) / LIKE_A_REPORT);
    if (lateMs < 0 && tooMany < 0) return 0;
    return AT_ONCE + Math.floor(Math.max(lateMs / ONE_MORE_MS, tooMany / ONE_MORE_BEYOND));
  }

  #makeNext(): void {
    const next = this.#waiting[this.#next];
    if (next === undefined) return;
    this.#next += 1;
    this.#bytes -= next.bytes;
    this.#reachedMono = next.at.mono;
    if (this.#next === this.#waiting.length || this.#next > MAX_MADE) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    this.#during({ at: next.at, later: undefined }, next.make);
  }

  #during(making: Making, act: () => void): void {
    const before = this.#making;
    this.#making = making;
    try {
      act();
    } finally {
      this.#making = before;
    }
  }
}
