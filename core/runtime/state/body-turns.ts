/**
 * Turns of the event loop for large messages and answers. Reading one of megabytes takes up to a tenth of a second, so of many that come
 * at the same moment few are read in one turn, and health probes, timers and other clients go on in between.
 */
import { FairTurns } from '../../domain/fair-turns.ts';
import type { Clock } from '../../ports/clock.ts';

/** Bytes from which on a message takes a turn: about 2 ms of reading, where all of its values are small. */
const LARGE_BYTES = 64 * 1024;

/** Calls back in the next turn of the event loop. */
export type NextTurn = (run: () => void) => void;

export class BodyTurns {
  readonly #turns: FairTurns | undefined;

  /** @param nextTurn undefined: every message is read at once */
  constructor(nextTurn: NextTurn | undefined, clock: Pick<Clock, 'monotonic'>) {
    this.#turns = nextTurn === undefined ? undefined : new FairTurns(nextTurn, () => clock.monotonic());
  }

  /** Whether a message of this size takes a turn: a large one, and each one that comes while others wait, so that their order stays. */
  takesTurn(bytes: number): boolean {
    return this.#turns !== undefined && (bytes >= LARGE_BYTES || this.#turns.isBusy);
  }

  /** Whether so much of large messages was read in this turn that one of this size is read again in a later one. */
  isOver(bytes: number): boolean {
    return bytes >= LARGE_BYTES && this.#turns?.isOver === true;
  }

  /** Notes that a message of this size is read now. It does not wait: what was accepted goes before what is accepted next. */
  begin(bytes: number): void {
    if (bytes >= LARGE_BYTES) this.#turns?.begin();
  }

  /** Resolves when an answer of this size may be read; undefined: now. Small ones pass those that wait, because they belong to other calls. */
  roomForAnswer(bytes: number): Promise<void> | undefined {
    return bytes >= LARGE_BYTES ? this.#turns?.room() : undefined;
  }

  /** Resolves when a message of this size may be read; undefined: now. */
  room(bytes: number): Promise<void> | undefined {
    return this.takesTurn(bytes) ? this.#turns?.room() : undefined;
  }
}
