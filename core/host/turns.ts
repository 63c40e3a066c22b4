/** Acts of the host that open and close ports. */
import { Refusal } from '../domain/refusal.ts';

/** Runs acts one after another, so that none sees what another has half done. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /** Runs the act after the earlier ones. Throws Refusal TRANSITION_NOT_ALLOWED after `end`. */
  run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) return Promise.reject(ending());
    return this.#take(act);
  }

  /** Runs the last act after the earlier ones; further ones are refused from now on. */
  end(act: () => Promise<void>): Promise<void> {
    this.#hasEnded = true;
    return this.#take(act);
  }

  #take<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Refusal of what would open a port that nobody closes any more. */
export function ending(): Refusal {
  return new Refusal('TRANSITION_NOT_ALLOWED', { reason: 'Sidelight is ending.' });
}
