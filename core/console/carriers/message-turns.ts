/**
 * Hands on what one connection sends in turns of the event loop: a piece of it may hold ten thousand requests, each with its answer. A page
 * asks for a dozen things at once, which have room in one turn: while the process has much to do, each turn is long.
 */
import { yieldToOthers } from '../stream/yield-to-others.ts';

/** Most of them in one turn; of long work fewer. */
const AT_ONCE = 16;

export class MessageTurns {
  /** Oldest first. */
  readonly #waiting: (() => void)[] = [];
  readonly #nextTurn: () => Promise<void>;
  /** How many have asked for a turn. */
  #asked = 0;

  constructor(nextTurn = yieldToOthers) {
    this.#nextTurn = nextTurn;
  }

  /** Whether something waits to be handed on. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs `act` in a later turn, after all before it. */
  add(act: () => void): void {
    this.#waiting.push(act);
    this.#ask();
  }

  /** Forgets all that wait. */
  drop(): void {
    this.#waiting.length = 0;
  }

  #ask(): void {
    if (this.#asked >= Math.min(AT_ONCE, this.#waiting.length)) return;
    this.#asked += 1;
    void this.#nextTurn().then(() => {
      this.#asked -= 1;
      this.#waiting.shift()?.();
      this.#ask();
    });
  }
}
