/** Timed waits of loops that live as long as the runtime: each ends in its time, or at once when the runtime stops. */
import type { Cancel, Clock } from '../../ports/clock.ts';

export class Waits {
  readonly #clock: Clock;
  readonly #open = new Map<() => void, Cancel>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves after `ms`, earlier when `wake` or `end` is called. */
  wait(ms: number): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((go) => {
      const done = (): void => {
        this.#open.get(done)?.();
        this.#open.delete(done);
        go();
      };
      this.#open.set(done, this.#clock.at(this.#clock.now() + ms, done));
    });
  }

  /** Ends the waits of now. */
  wake(): void {
    for (const done of [...this.#open.keys()]) done();
  }

  /** Ends the waits of now and all later ones. */
  end(): void {
    this.#ended = true;
    this.wake();
  }
}
