/** Acknowledgements of one consumer: sent together, and repeated until Redis has accepted them. */

export interface AcknowledgementPorts {
  /** Sends acknowledgements; resolves when Redis has accepted them. After a rejection, which goes to `onTrouble`, they stay pending. */
  readonly send: (ids: readonly string[]) => Promise<void>;
  /** Calls back soon, when it costs least. */
  readonly soon: (go: () => void) => void;
  readonly onTrouble: (error: unknown) => void;
}

export class Acknowledgements {
  readonly #ports: AcknowledgementPorts;
  /** Content mark of each entry that Redis has to be sent the end of, by id; undefined: the entry has no content any more. */
  readonly #owed = new Map<string, number | undefined>();
  /** Acknowledgements that Redis accepted during a request for entries. The reply may be older and still contain these entries. */
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

  /** True if the entry has ended here, but Redis may not know it yet, or did not when it sent its reply. */
  owes(id: string, mark: number): boolean {
    return isIn(this.#owed, id, mark) || isIn(this.#takenMeanwhile, id, mark);
  }

  /** Call it before a request for entries: remembers which acknowledgements Redis accepts until the returned function is called. */
  asking(): () => void {
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
      if (this.#asking === 0) this.#takenMeanwhile.clear();
    };
  }

  /** Sends an acknowledgement soon, together with others. */
  add(id: string, mark?: number): void {
    this.#owed.set(id, mark);
    this.#due();
  }

  /** Drops an acknowledgement whose id belongs to another entry now: Redis would take it for the end of the new entry. */
  forget(id: string): void {
    this.#owed.delete(id);
    this.#takenMeanwhile.delete(id);
  }

  /** Resolves when Redis has accepted all acknowledgements, or could not be reached. */
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
    // A flush may have sent all of them meanwhile, or all were dropped.
    if (this.#owed.size === 0) return;
    // Acknowledgements added during the send are still pending.
    void this.#send().then((isSent) => isSent && this.#due());
  };

  /**
   * Sends the pending acknowledgements; a second call joins the running one.
   * @returns false: Redis could not be reached
   */
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
