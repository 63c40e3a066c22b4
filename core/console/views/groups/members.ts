/** Facts about each message of a grouped list: its group, its state and its time. A few bytes each, by number. */
/** Numbers of one chunk. */
export const CHUNK = 4096;

interface Chunk<G> {
  readonly groups: (G | undefined)[];
  readonly ranks: Uint8Array;
  readonly moments: Float64Array;
  used: number;
}

export interface Member<G> {
  readonly group: G;
  /** Place of its state in the order of attention. */
  readonly rank: number;
  readonly atMs: number;
}

export class Members<G> {
  readonly #chunks = new Map<number, Chunk<G>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Indices of the chunks that hold something, in no order. */
  get chunks(): readonly number[] {
    return [...this.#chunks.keys()];
  }

  groupOf(number: number): G | undefined {
    return this.#chunks.get(chunkOf(number))?.groups[number % CHUNK];
  }

  rankOf(number: number): number {
    return this.#chunks.get(chunkOf(number))?.ranks[number % CHUNK] ?? 0;
  }

  /** Milliseconds since 1970; 0: not here. */
  momentOf(number: number): number {
    return this.#chunks.get(chunkOf(number))?.moments[number % CHUNK] ?? 0;
  }

  set(number: number, { group, rank, atMs }: Member<G>): void {
    const index = chunkOf(number);
    const chunk = this.#chunks.get(index) ?? newChunk<G>();
    this.#chunks.set(index, chunk);
    const slot = number % CHUNK;
    if (chunk.groups[slot] === undefined) {
      chunk.used += 1;
      this.#size += 1;
    }
    chunk.groups[slot] = group;
    chunk.ranks[slot] = rank;
    chunk.moments[slot] = atMs;
  }

  delete(number: number): void {
    const index = chunkOf(number);
    const chunk = this.#chunks.get(index);
    const slot = number % CHUNK;
    if (chunk === undefined || chunk.groups[slot] === undefined) return;
    chunk.groups[slot] = undefined;
    chunk.used -= 1;
    this.#size -= 1;
    if (chunk.used === 0) this.#chunks.delete(index);
  }

  /** Number of members in a chunk. */
  countIn(index: number): number {
    return this.#chunks.get(index)?.used ?? 0;
  }

  /** Numbers of a chunk, ascending. */
  numbersIn(index: number): readonly number[] {
    const chunk = this.#chunks.get(index);
    if (chunk === undefined) return [];
    const numbers: number[] = [];
    for (const [slot, group] of chunk.groups.entries()) {
      if (group !== undefined) numbers.push(index * CHUNK + slot);
    }
    return numbers;
  }
}

/** The chunk of a message number. */
export function chunkOf(number: number): number {
  return Math.floor(number / CHUNK);
}

function newChunk<G>(): Chunk<G> {
  return {
    groups: Array.from<G | undefined>({ length: CHUNK }),
    ranks: new Uint8Array(CHUNK),
    moments: new Float64Array(CHUNK),
    used: 0,
  };
}
