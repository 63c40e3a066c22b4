/** A plain publish of which the head has come and the body has not yet: many clients write the two one after the other. */
import { Pieces } from '../domain/pieces.ts';
import type { PlainHead } from './plain-head.ts';

/** The HTTP server reads a body beyond this: it comes in many pieces anyway, which cost more than the server does. */
export const LONGEST_AWAITED = 64 * 1024;

export class BegunPublish {
  readonly head: PlainHead;
  /** Where the body begins. */
  readonly bodyAt: number;
  readonly sinceMs: number;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));

  constructor(head: PlainHead, bodyAt: number, sinceMs: number) {
    this.head = head;
    this.bodyAt = bodyAt;
    this.sinceMs = sinceMs;
  }

  /** Bytes of the body that have come. */
  get bodyBytes(): number {
    return Math.min(this.head.bodyBytes, Math.max(0, this.#pieces.length - this.bodyAt));
  }

  get isWhole(): boolean {
    return this.bodyBytes === this.head.bodyBytes;
  }

  /** @returns how many bytes of the body are among these */
  add(bytes: Buffer): number {
    const before = this.bodyBytes;
    this.#pieces.add(bytes);
    return this.bodyBytes - before;
  }

  /** Head and body as they came, and what was sent behind them. */
  bytes(): Buffer {
    return this.#pieces.whole();
  }
}
