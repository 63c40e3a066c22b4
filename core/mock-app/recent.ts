/** Maps that keep only the newest entries, also of all of them together. */

/** Most entries of all maps together, about 200 bytes each. */
const MAX_TOGETHER = 200_000;

/**
 * Room that several maps share, of which an app has up to three. If it is full, the map with the most entries forgets its oldest one,
 * so that a flood to one app takes least from the others.
 */
export class RecentRoom {
  readonly #most: number;
  readonly #maps = new Set<Recent<unknown>>();
  #size = 0;

  /** @param most maximum number of entries of all maps, 1 or more */
  constructor(most = MAX_TOGETHER) {
    this.#most = most;
  }

  /** Called by a map that has gained (1) or lost (-1) an entry. */
  changed(map: Recent<unknown>, by: 1 | -1): void {
    this.#maps.add(map);
    this.#size += by;
    if (this.#size > this.#most) this.#largest()?.forgetOldest();
  }

  /** Called by a map that has lost all of its entries. */
  left(map: Recent<unknown>, entries: number): void {
    if (this.#maps.delete(map)) this.#size -= entries;
  }

  #largest(): Recent<unknown> | undefined {
    let largest: Recent<unknown> | undefined;
    for (const map of this.#maps) if (map.size > (largest?.size ?? 0)) largest = map;
    return largest;
  }
}

/** Keeps values by key. Setting a key again makes it the newest. */
export class Recent<V> {
  readonly #limit: number;
  readonly #room: RecentRoom | undefined;
  readonly #entries = new Map<string, V>();

  /**
   * Makes an empty map.
   * @param limit most entries, 1 or more
   * @param room room that it shares with other maps
   */
  constructor(limit: number, room?: RecentRoom) {
    this.#limit = limit;
    this.#room = room;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    const isNew = !this.#entries.delete(key);
    this.#entries.set(key, value);
    if (isNew) this.#room?.changed(this, 1);
    if (this.#entries.size > this.#limit) this.forgetOldest();
  }

  forgetOldest(): void {
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      this.#room?.changed(this, -1);
      return;
    }
  }

  /** Forgets all entries. */
  clear(): void {
    this.#room?.left(this, this.#entries.size);
    this.#entries.clear();
  }
}
