/** Ends connections with a last answer, many of them in several turns: thousands may be silent for too long at the same moment. */
import { endWith } from './http-edge.ts';
import { StepTurns } from './step-turns.ts';

type Later = Parameters<typeof endWith>[3];
type Parting = Parameters<typeof endWith>[0] & { readonly writable: boolean };

export class Partings {
  readonly #turns: StepTurns;
  readonly #later: Later;

  /**
   * @param nextTurn `setImmediate`, which this room does not have
   * @param later `setTimeout`
   */
  constructor(nextTurn: (run: () => void) => void, later: Later) {
    this.#turns = new StepTurns(nextTurn);
    this.#later = (run, ms) => later(() => this.#turns.once(run), ms);
  }

  /** As `endWith`, for a connection that can still be written to in its turn. */
  end(socket: Parting, text: string, partingMs: number): void {
    this.#turns.once(() => {
      if (socket.writable) endWith(socket, text, partingMs, this.#later);
    });
  }
}
