/** Waits that end when the router stops, so that none of them keeps the process alive. */
import type { Clock } from '../ports/clock.ts';

export class Sleeps {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after the time, or when all waits are ended. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        resolve();
      };
      const cancel = this.#clock.at(this.#clock.now() + ms, done);
      this.#waiting.add(done);
    });
  }

  wake(): void {
    for (const done of this.#waiting) done();
  }
}
