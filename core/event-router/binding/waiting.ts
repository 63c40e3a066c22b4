/** Waits that can be ended early: by a person who wants a retry now, or by the end of the component. */
import type { Clock } from '../../ports/clock.ts';

export class Waiting {
  readonly #clock: Clock;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until the time or `wakeUp`. Rejects with the signal's reason when it is aborted. */
  until(dueMs: number, signal: AbortSignal): Promise<void> {
    return this.#wait((done) => this.#clock.at(dueMs, done), signal);
  }

  /** Waits until `wakeUp`. */
  untilWoken(signal: AbortSignal): Promise<void> {
    return this.#wait(() => () => undefined, signal);
  }

  /** Ends the wait. True: there was one. */
  wakeUp(): boolean {
    const wake = this.#wake;
    wake?.();
    return wake !== undefined;
  }

  #wait(arm: (done: () => void) => () => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        cancel();
        this.#wake = undefined;
        signal.removeEventListener('abort', aborted);
        end();
      };
      const aborted = (): void => finish(() => reject(reasonOf(signal)));
      const cancel = arm(() => finish(resolve));
      this.#wake = () => finish(resolve);
      if (signal.aborted) aborted();
      else signal.addEventListener('abort', aborted, { once: true });
    });
  }
}

/** Waits without `wakeUp`. Rejects when `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Waiting(clock).until(clock.now() + ms, signal);
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('it was ended');
}
