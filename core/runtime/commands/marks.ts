/** Marks that a person gives messages: pins, notes, tags, read. */
import type { MessageRow } from '../../contract/message.ts';
import { rowOf } from '../state/live.ts';
import type { Deliveries } from '../state/delivery.ts';
import { noMessage } from '../state/not-found.ts';
import { iso } from '../time/time.ts';
import type { Targets } from './targets.ts';

export interface MessageMarks {
  readonly pinned?: boolean;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly read?: boolean;
}

export class Marks {
  readonly #targets: Targets;
  readonly #deliveries: Deliveries;

  constructor(targets: Targets, deliveries: Deliveries) {
    this.#targets = targets;
    this.#deliveries = deliveries;
  }

  /** Changes marks; resolves with the changed row. Throws Refusal NOT_FOUND. */
  async update(messageId: string, { read, ...rest }: MessageMarks): Promise<MessageRow> {
    const message = await this.#targets.message(messageId);
    if (message === undefined) throw noMessage(messageId);
    try {
      await this.#deliveries.patchMessage(message, {
        ...rest,
        ...(read === undefined ? {} : { unread: !read }),
      });
      return rowOf(message, iso);
    } finally {
      this.#targets.release(message);
    }
  }
}
