/** Timed waits of loops that run as long as the runtime: each ends after its time, or at once when the runtime stops. */
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

  /** Resolves after `ms`, or earlier when `wake` or `end` is called. */
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

  /** Ends all present waits. */
  wake(): void {
    for (const done of [...this.#open.keys()]) done();
  }

  /** Ends all present and later waits. */
  end(): void {
    this.#ended = true;
    this.wake();
  }
}
