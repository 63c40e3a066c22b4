/** Runs work on the same event in the order in which it passed, even when some of it has to read from disk first. */
export class EventTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves or rejects with what `act` gives, once everything that was asked for under this key before is over. */
  take<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const now = before === undefined ? act() : before.then(act);
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
