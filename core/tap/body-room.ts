/** Memory for copies of bodies that the tap reads while they pass: each body is limited, and so is their sum. */
import { Pieces } from '../domain/pieces.ts';

/** Bytes as they pass, kept for a while. */
export function bytePieces(): Pieces<Buffer> {
  return new Pieces((all) => Buffer.concat(all));
}

/** Maximum number of bytes that the tap reads of one body. */
export const MAX_BODY = 16 * 1024 * 1024;
const ALL_BODIES = 128 * 1024 * 1024;

export class BodyRoom {
  #used = 0;

  /** Reserves room for the bytes; false: there is none. */
  take(bytes: number): boolean {
    if (this.#used + bytes > ALL_BODIES) return false;
    this.#used += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#used -= bytes;
  }
}

/** One body, collected from its parts as they pass. */
export class Gathered {
  readonly #room: BodyRoom;
  /** Undefined: nothing came yet. */
  #pieces: Pieces<Buffer> | undefined;
  #bytes = 0;
  /** The body was too large: nothing of it is kept. */
  isOver = false;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  add(part: Buffer): void {
    if (this.isOver) return;
    if (this.#bytes + part.length > MAX_BODY || !this.#room.take(part.length)) {
      this.close();
      this.isOver = true;
      return;
    }
    this.#bytes += part.length;
    this.#pieces ??= bytePieces();
    this.#pieces.add(part);
  }

  /** The whole body; undefined: it was too large. */
  whole(): Buffer | undefined {
    if (this.isOver) return undefined;
    return this.#pieces?.whole() ?? Buffer.alloc(0);
  }

  /** Frees the room of the body. */
  close(): void {
    this.#room.free(this.#bytes);
    this.#bytes = 0;
    this.#pieces?.clear();
  }
}
