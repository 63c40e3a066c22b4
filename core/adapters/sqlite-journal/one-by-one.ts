/** Whether new messages come one at a time, as those of a single publisher do: then nothing is gained by waiting for others. */
import { turnNumber } from '../turn-end.ts';

/** So many turns in a row have to bring one message each. */
const TURNS = 8;

export class OneByOne {
  /** Turn of the event loop in which the last message came. */
  #turn = -1;
  /** Messages since then that had a turn of their own. */
  #alone = 0;
  /** Turn in which an append was answered last. */
  #answeredIn = -1;

  /** @param messages that came together in this turn */
  came(messages: number): void {
    if (messages === 0) return;
    const turn = turnNumber();
    this.#alone = messages > 1 || turn === this.#turn ? 0 : this.#alone + 1;
    this.#turn = turn;
  }

  /** Callers of an earlier append have their answer, and go on in this turn. */
  answered(): void {
    this.#answeredIn = turnNumber();
  }

  /**
   * True when a message that comes now is probably the only one of its turn. It must not be handed over before those that were
   * appended before it, whose callers may still be about to do so in the turn of their answer.
   */
  get isLikely(): boolean {
    if (this.#alone < TURNS) return false;
    const turn = turnNumber();
    return turn !== this.#turn && turn !== this.#answeredIn;
  }
}
