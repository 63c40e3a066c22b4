/** Acknowledgements of one consumer: sent together, and owed until Redis has taken them. */

export class Acknowledgements {
  readonly #send: (ids: readonly string[]) => Promise<void>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #owed = new Set<string>();
  #sending: Promise<void> | undefined;

  /** @param send resolves when Redis has them; what it rejects with goes to `onTrouble`, and they stay owed */
  constructor(send: (ids: readonly string[]) => Promise<void>, onTrouble: (error: unknown) => void) {
    this.#send = send;
    this.#onTrouble = onTrouble;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** True: its end is known here, only Redis may not have heard of it. */
  owes(id: string): boolean {
    return this.#owed.has(id);
  }

  add(id: string): void {
    this.#owed.add(id);
    void this.flush();
  }

  /** Resolves when nothing is owed any more, or Redis could not be told. Calls join. */
  flush(): Promise<void> {
    this.#sending ??= this.#all().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #all(): Promise<void> {
    // What is added in the same turn goes along.
    await Promise.resolve();
    while (this.#owed.size > 0) {
      const ids = [...this.#owed];
      try {
        await this.#send(ids);
      } catch (error) {
        this.#onTrouble(error);
        return;
      }
      for (const id of ids) this.#owed.delete(id);
    }
  }
}
