/** UUIDs of the `{uuid}` template that stay the same when a folder is read again. */

/** Remembers UUIDs by value: a new UUID would make an unchanged component look changed, and every reload would restart it. */
export class UuidMemory {
  readonly #make: () => string;
  #kept = new Map<string, readonly string[]>();
  #used = new Map<string, string[]>();

  constructor(make: () => string) {
    this.#make = make;
  }

  /** Starts a new read of the folder and forgets UUIDs that the last one did not use. */
  begin(): void {
    this.#kept = this.#used;
    this.#used = new Map();
  }

  /** UUIDs for one value, one per call; the same ones in the same order as in the last read. */
  of(value: string): () => string {
    const before = this.#kept.get(value) ?? [];
    const now: string[] = [];
    this.#used.set(value, now);
    return () => {
      const uuid = before[now.length] ?? this.#make();
      now.push(uuid);
      return uuid;
    };
  }
}
