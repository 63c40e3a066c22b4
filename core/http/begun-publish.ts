/** A plain publish whose head has arrived without its body: many clients write the two separately. */
import { Pieces } from '../domain/pieces.ts';
import type { PlainHead } from './plain-head.ts';

/**
 * Longest body that is awaited here. A longer one is left to the HTTP server, because it arrives in many
 * pieces, which cost more than the server does.
 */
export const MAX_AWAITED_LENGTH = 64 * 1024;

export class BegunPublish {
  readonly head: PlainHead;
  /** Offset of the body. */
  readonly bodyAt: number;
  readonly sinceMs: number;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));

  constructor(head: PlainHead, bodyAt: number, sinceMs: number) {
    this.head = head;
    this.bodyAt = bodyAt;
    this.sinceMs = sinceMs;
  }

  /** Number of bytes of the body that have arrived. */
  get bodyBytes(): number {
    return Math.min(this.head.bodyBytes, Math.max(0, this.#pieces.length - this.bodyAt));
  }

  get isWhole(): boolean {
    return this.bodyBytes === this.head.bodyBytes;
  }

  /**
   * Adds bytes.
   * @returns how many of them belong to the body
   */
  add(bytes: Buffer): number {
    const before = this.bodyBytes;
    this.#pieces.add(bytes);
    return this.bodyBytes - before;
  }

  /** Head and body, and the bytes that were sent after them. */
  bytes(): Buffer {
    return this.#pieces.whole();
  }
}
