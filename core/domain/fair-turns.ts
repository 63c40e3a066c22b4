/**
 * Shares the turns of the event loop among long pieces of work: those of one turn take little time together, however many there are, and
 * the others follow in the next turns, in their order.
 */

/** Time, in ms, after which no further piece begins in a turn: together with the piece that runs then, nobody notices the wait. */
export const MAX_MS = 8;

export class FairTurns {
  readonly #nextTurn: (run: () => void) => void;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #waiting: (() => void)[] = [];
  /** Time at which the first piece of this turn began; undefined: none has. */
  #since: number | undefined;
  /** True once the time of this turn was found to be over: hundreds that wait need not look at the clock. */
  #wasOver = false;

  /**
   * @param nextTurn calls back in the next turn of the event loop
   * @param now ms since any fixed time
   */
  constructor(nextTurn: (run: () => void) => void, now: () => number) {
    this.#nextTurn = nextTurn;
    this.#now = now;
  }

  /** Time at which the pieces of this turn have had their time. */
  get until(): number {
    return (this.#since ?? this.#now()) + MAX_MS;
  }

  /** Whether the pieces of this turn have had their time. */
  get isOver(): boolean {
    this.#wasOver ||= this.#since !== undefined && this.#now() >= this.until;
    return this.#wasOver;
  }

  /** Whether a piece waits for a later turn. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when a piece may begin; undefined: it may begin in this turn. */
  room(): Promise<void> | undefined {
    if (this.#waiting.length > 0 || this.isOver) return this.next();
    this.begin();
    return undefined;
  }

  /** Resolves in a later turn that has time left. */
  next(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go);
      this.#goOnLater();
    });
  }

  /** Lets the oldest one go on in the next turn that has time. Each one that waits asks for it once, so several may in one turn. */
  #goOnLater(): void {
    this.#nextTurn(() => {
      if (this.isOver) {
        this.#goOnLater();
        return;
      }
      this.#begin(this.#nextTurn);
      this.#waiting.shift()?.();
    });
  }

  /**
   * Notes that a piece begins which does not wait: those that do wait have what it leaves of this turn. It may be called from a callback of the
   * network, behind which Node calls what waits for the next turn before any timer and any other callback: that still belongs to this turn.
   */
  begin(): void {
    this.#begin((run) => this.#nextTurn(() => this.#nextTurn(run)));
  }

  #begin(afterTurn: (run: () => void) => void): void {
    if (this.#since !== undefined) return;
    this.#since = this.#now();
    afterTurn(() => {
      this.#since = undefined;
      this.#wasOver = false;
    });
  }
}
