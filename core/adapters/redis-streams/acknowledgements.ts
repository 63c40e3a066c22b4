/** Acknowledgements of one consumer: sent together, and owed until Redis has taken them. */

export interface AcknowledgementPorts {
  /** Sends acknowledgements; resolves when Redis has them. A rejection goes to `onTrouble`, and they stay owed. */
  readonly send: (ids: readonly string[]) => Promise<void>;
  /** Calls back soon, when it costs least. */
  readonly soon: (go: () => void) => void;
  readonly onTrouble: (error: unknown) => void;
}

export class Acknowledgements {
  readonly #ports: AcknowledgementPorts;
  /** The mark of the content of each entry, by id; undefined: it has no content any more. */
  readonly #owed = new Map<string, number | undefined>();
  /** Acknowledgements that Redis took while it was asked for entries. The answer to that may be older, and still have these entries. */
  readonly #takenMeanwhile = new Map<string, number | undefined>();
  #asking = 0;
  #isDue = false;
  #sending: Promise<boolean> | undefined;

  constructor(ports: AcknowledgementPorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** True: the entry has ended here, but Redis may not know it yet, or did not when it gave its answer. */
  owes(id: string, mark: number): boolean {
    return isIn(this.#owed, id, mark) || isIn(this.#takenMeanwhile, id, mark);
  }

  /** Redis is asked for entries: remembers which acknowledgements it takes until the end that is given back is called. */
  asking(): () => void {
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
      if (this.#asking === 0) this.#takenMeanwhile.clear();
    };
  }

  /** Sends it soon, with others. */
  add(id: string, mark?: number): void {
    this.#owed.set(id, mark);
    this.#due();
  }

  /** The id is that of another entry now: Redis must not take the end of the former one for its end. */
  forget(id: string): void {
    this.#owed.delete(id);
    this.#takenMeanwhile.delete(id);
  }

  /** Resolves when nothing is owed any more, or Redis could not be told. */
  async flush(): Promise<void> {
    while (this.#owed.size > 0) if (!(await this.#send())) return;
  }

  #due(): void {
    if (this.#isDue || this.#owed.size === 0) return;
    this.#isDue = true;
    this.#ports.soon(this.#sendDue);
  }

  readonly #sendDue = (): void => {
    this.#isDue = false;
    // All of it may have been told meanwhile by a flush, or forgotten.
    if (this.#owed.size === 0) return;
    // What was added while others were sent is still owed.
    void this.#send().then((isTold) => isTold && this.#due());
  };

  /** False: Redis could not be told. Calls join. */
  #send(): Promise<boolean> {
    this.#sending ??= this.#sendOwed();
    return this.#sending;
  }

  #sendOwed(): Promise<boolean> {
    const { send, onTrouble } = this.#ports;
    const ids = [...this.#owed.keys()];
    return send(ids).then(
      () => {
        this.#sending = undefined;
        for (const id of ids) this.#taken(id);
        return true;
      },
      (error: unknown) => {
        this.#sending = undefined;
        onTrouble(error);
        return false;
      },
    );
  }

  #taken(id: string): void {
    if (this.#asking > 0 && this.#owed.has(id)) this.#takenMeanwhile.set(id, this.#owed.get(id));
    this.#owed.delete(id);
  }
}

function isIn(ended: ReadonlyMap<string, number | undefined>, id: string, mark: number): boolean {
  return ended.has(id) && ended.get(id) === mark;
}
