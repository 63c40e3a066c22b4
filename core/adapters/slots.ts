/** Limits how many messages of a group the app has at once, over all its topics. */

export class Slots {
  readonly size: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.size = size;
    this.#free = size;
  }

  /** Waits for a slot, first come, first served. Call the returned function once to release the slot. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((go) => void this.#waiting.push(go));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }
}

/** Waits of one reader for a slot of its group. While one waits, the reader requests nothing more from its broker. */
export class SlotQueue {
  readonly #slots: Slots | undefined;
  readonly #changed: () => void;
  #waiting = 0;

  /**
   * @param slots undefined: no limit
   * @param changed called when a wait has ended
   */
  constructor(slots: Slots | undefined, changed: () => void) {
    this.#slots = slots;
    this.#changed = changed;
  }

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Waits for a slot. Call the returned function once to release the slot. */
  async take(): Promise<() => void> {
    if (this.#slots === undefined) return () => undefined;
    this.#waiting += 1;
    const leave = await this.#slots.take();
    this.#waiting -= 1;
    this.#changed();
    return leave;
  }
}

/** The slots of each group of a component: its topics share them. */
export class GroupSlots {
  readonly #slots = new Map<string, Slots>();

  /** @param size undefined: no limit */
  of(group: string, size: number | undefined): Slots | undefined {
    if (size === undefined) return undefined;
    const known = this.#slots.get(group) ?? new Slots(size);
    this.#slots.set(group, known);
    return known;
  }
}
