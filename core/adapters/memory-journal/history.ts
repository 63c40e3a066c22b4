/** Messages by number in chunks: adding, finding, removing and walking cost the same however long the history is. */
import type { Order } from '../stored/paging.ts';
import { isOpen, loosened } from './entry.ts';
import type { Entry, LooseEntry } from './entry.ts';
import { PackedEntry } from './packed.ts';
import type { Packer } from './packed.ts';

/** Numbers of one chunk; a power of two is not needed, a round size keeps an almost empty chunk cheap. */
const CHUNK = 1024;

/** Packed, or as objects. */
type Slot = PackedEntry | LooseEntry | undefined;

interface Chunk {
  readonly index: number;
  readonly slots: Slot[];
  used: number;
  older: Chunk | undefined;
  newer: Chunk | undefined;
}

export class History {
  readonly #packer: Packer;
  readonly #chunks = new Map<number, Chunk>();
  #oldest: Chunk | undefined;
  #newest: Chunk | undefined;
  #size = 0;

  constructor(packer: Packer) {
    this.#packer = packer;
  }

  get size(): number {
    return this.#size;
  }

  /** Chunks in use; an empty one is given back. */
  get chunks(): number {
    return this.#chunks.size;
  }

  get(number: number): Entry | undefined {
    return this.#slot(number);
  }

  /** The entry as objects, to be changed: from now on it is not packed. */
  loose(number: number): LooseEntry | undefined {
    const slot = this.#slot(number);
    if (!(slot instanceof PackedEntry)) return slot;
    const entry = loosened(slot);
    this.#put(number, entry);
    this.#left(slot);
    return entry;
  }

  /** Packs an entry: nothing of it is open. */
  pack(entry: LooseEntry): void {
    this.#put(entry.row.number, this.#packer.pack(entry));
  }

  /** Packs what is there as objects, unless something of it is open. */
  packAt(number: number): void {
    const slot = this.#slot(number);
    if (slot !== undefined && !(slot instanceof PackedEntry) && !isOpen(slot)) this.pack(slot);
  }

  /** The number must be free. */
  add(entry: LooseEntry): void {
    const { number } = entry.row;
    const chunk = this.#chunks.get(indexOf(number)) ?? this.#addChunk(indexOf(number));
    chunk.slots[number % CHUNK] = entry;
    chunk.used++;
    this.#size++;
  }

  remove(number: number): void {
    const chunk = this.#chunks.get(indexOf(number));
    const slot = chunk?.slots[number % CHUNK];
    if (chunk === undefined || slot === undefined) return;
    chunk.slots[number % CHUNK] = undefined;
    chunk.used--;
    this.#size--;
    if (chunk.used === 0) this.#removeChunk(chunk);
    if (slot instanceof PackedEntry) this.#left(slot);
  }

  /** The entry that follows a number, or the first of all without one. The number itself need not be kept. */
  after(number: number | undefined, order: Order): Entry | undefined {
    return order === 'oldest' ? this.#newerThan(number ?? -Infinity) : this.#olderThan(number ?? Infinity);
  }

  clear(): void {
    this.#chunks.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#size = 0;
  }

  #newerThan(number: number): Entry | undefined {
    for (let chunk = this.#chunkAt(number, 'oldest'); chunk !== undefined; chunk = chunk.newer) {
      for (let slot = Math.max(0, number + 1 - chunk.index * CHUNK); slot < CHUNK; slot++) {
        const entry = chunk.slots[slot];
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }

  #olderThan(number: number): Entry | undefined {
    for (let chunk = this.#chunkAt(number, 'newest'); chunk !== undefined; chunk = chunk.older) {
      for (let slot = Math.min(CHUNK, number - chunk.index * CHUNK) - 1; slot >= 0; slot--) {
        const entry = chunk.slots[slot];
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }

  /** Frees a mostly empty slab, by packing its remaining messages again elsewhere. */
  #left(packed: PackedEntry): void {
    const emptied = this.#packer.left(packed);
    if (emptied === undefined) return;
    for (const number of emptied.numbers) {
      const slot = this.#slot(number);
      if (slot instanceof PackedEntry && slot.shelf === emptied) this.pack(loosened(slot));
    }
  }

  #slot(number: number): Slot {
    return this.#chunks.get(indexOf(number))?.slots[number % CHUNK];
  }

  #put(number: number, slot: Slot): void {
    const chunk = this.#chunks.get(indexOf(number));
    if (chunk !== undefined) chunk.slots[number % CHUNK] = slot;
  }

  /** The chunk of a number, or the next one in that order. */
  #chunkAt(number: number, order: Order): Chunk | undefined {
    const index = indexOf(number);
    const own = this.#chunks.get(index);
    if (own !== undefined) return own;
    if (order === 'oldest') {
      let chunk = this.#oldest;
      while (chunk !== undefined && chunk.index < index) chunk = chunk.newer;
      return chunk;
    }
    let chunk = this.#newest;
    while (chunk !== undefined && chunk.index > index) chunk = chunk.older;
    return chunk;
  }

  #addChunk(index: number): Chunk {
    let older = this.#newest;
    while (older !== undefined && older.index > index) older = older.older;
    const newer = older === undefined ? this.#oldest : older.newer;
    const slots = Array.from<Slot>({ length: CHUNK });
    const chunk: Chunk = { index, slots, used: 0, older, newer };
    if (older === undefined) this.#oldest = chunk;
    else older.newer = chunk;
    if (newer === undefined) this.#newest = chunk;
    else newer.older = chunk;
    this.#chunks.set(index, chunk);
    return chunk;
  }

  #removeChunk(chunk: Chunk): void {
    if (chunk.older === undefined) this.#oldest = chunk.newer;
    else chunk.older.newer = chunk.newer;
    if (chunk.newer === undefined) this.#newest = chunk.older;
    else chunk.newer.older = chunk.older;
    this.#chunks.delete(chunk.index);
  }
}

function indexOf(number: number): number {
  return Math.floor(number / CHUNK);
}
