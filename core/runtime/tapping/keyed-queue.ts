/** Runs work on the same event in the order in which it passed, even when some of it has to read from disk first. */
import type { MaybePromise } from '../../domain/maybe-promise.ts';

export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `act` after all earlier acts with this key, now if none is running. Returns or throws the result of `act`. */
  run<T>(key: string, act: () => MaybePromise<T>): MaybePromise<T> {
    const before = this.#last.get(key);
    const now = before === undefined ? act() : before.then(act);
    if (!(now instanceof Promise)) return now;
    const over = now.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, over);
    void over.then(() => {
      if (this.#last.get(key) === over) this.#last.delete(key);
    });
    return now;
  }
}
