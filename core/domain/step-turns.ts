/** Limits how many small steps of long work are made in one turn of the event loop: the others follow in the next turns, in their order. */

/** Steps in one turn: about 10 ms where each changes a delivery, which is a state, a record and an event; twice that where each ends a connection. */
const MAX_STEPS = 500;
/** Number of steps below which no turn is asked for, because most work has only a few. */
const FEW_STEPS = 100;

/** Bytes of an event that is sent which count as a step more: an event of 100 kB may go to a thousand streams, and is made ready for each. */
const STEP_BYTES = 2048;

/** Steps that the size of an event counts as where it is sent. */
export function stepsOfSize(bytes: number): number {
  return Math.floor(bytes / STEP_BYTES);
}

export interface LongWork {
  /** Makes the next step. False: there is none left. */
  readonly next: () => boolean;
  /** Called once, after the last step. */
  readonly over: () => void;
}

export class StepTurns {
  readonly #nextTurn: (run: () => void) => void;
  /** Oldest first. */
  #waiting: LongWork[] = [];
  /** Number of steps of this turn. */
  #made = 0;
  #isMaking = false;
  #isTimed = false;
  #idle: (() => void)[] = [];

  /** @param nextTurn calls back in the next turn of the event loop */
  constructor(nextTurn: (run: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** Makes all steps: at once as far as this turn has room for them, and after those that wait. */
  make(work: LongWork): void {
    this.#waiting.push(work);
    if (!this.#isMaking && this.#made < MAX_STEPS) this.#go();
  }

  /** Makes one step: at once if this turn has room for it. */
  once(act: () => void): void {
    let isMade = false;
    const next = (): boolean => {
      if (isMade) return false;
      isMade = true;
      act();
      return true;
    };
    this.make({ next, over: () => undefined });
  }

  /**
   * Resolves when this turn has room for work of the caller; undefined: it has.
   * @param steps number of steps that it counts as, from now on
   */
  room(steps = 1): Promise<void> | undefined {
    if (this.#isMaking || this.#waiting.length > 0 || this.#made >= MAX_STEPS) {
      return new Promise((go) => {
        this.once(() => {
          this.#made += steps - 1;
          go();
        });
      });
    }
    this.#made += steps;
    if (this.#made >= FEW_STEPS) this.#time();
    return undefined;
  }

  /** Notes steps that were made, of which none was asked for: what comes next waits for a turn with room. */
  made(steps: number): void {
    this.#made += steps;
    if (this.#made >= FEW_STEPS) this.#time();
  }

  /** Resolves in the turn after the last step, when what it began has followed and no steps wait; undefined: none wait now. */
  idle(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    return new Promise((go) => this.#idle.push(go));
  }

  #go(): void {
    this.#isMaking = true;
    let done = 0;
    try {
      while (this.#made < MAX_STEPS) {
        const work = this.#waiting[done];
        if (work === undefined) break;
        if (work.next()) {
          this.#made += 1;
          continue;
        }
        done += 1;
        work.over();
      }
    } finally {
      this.#waiting = this.#waiting.slice(done);
      this.#isMaking = false;
      if (this.#waiting.length > 0 || this.#idle.length > 0 || this.#made >= FEW_STEPS) this.#time();
    }
  }

  #time(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#nextTurn(() => {
      this.#isTimed = false;
      this.#made = 0;
      if (this.#waiting.length === 0) for (const go of this.#idle.splice(0)) go();
      this.#go();
    });
  }
}
