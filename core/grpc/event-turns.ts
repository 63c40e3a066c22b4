/** Sends the events of many streams in several turns of the event loop: large ones count as more. */
import { stepsOfSize } from '../domain/step-turns.ts';
import type { StepTurns } from '../domain/step-turns.ts';

/** Steps that an event of any size counts as: 100 small ones take about 10 ms. */
const SENT_STEPS = 5;

export class EventTurns {
  readonly #turns: StepTurns;

  constructor(turns: StepTurns) {
    this.#turns = turns;
  }

  /**
   * Sends an event, now or in a later turn.
   * @param bytes of its data
   */
  send(bytes: number, act: () => void): void {
    const room = this.#turns.room(SENT_STEPS + stepsOfSize(bytes));
    if (room === undefined) act();
    else void room.then(act);
  }
}
