/** One message in full, and the messages that are held. */
import type { MessageDetail } from '../../contract/message.ts';
import type { Shared } from '../common.ts';
import { noMessage } from '../state/missing.ts';
import { detailOf } from './detail.ts';
import { heldQueue } from './held-queue.ts';
import type { HeldQueue } from './held-queue.ts';

export class Messages {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Throws Refusal NOT_FOUND. */
  async detail(messageId: string): Promise<MessageDetail> {
    const source = await this.#shared.journal.get(messageId);
    if (source === undefined) throw noMessage(messageId);
    return detailOf(source, this.#shared, this.#shared.live.message(messageId));
  }

  /** What is held, longest first. @param limit most items given; `total` counts all */
  held(limit: number): HeldQueue {
    return heldQueue(this.#shared, limit);
  }
}
