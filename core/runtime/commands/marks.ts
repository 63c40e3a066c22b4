/** Marks that a person gives messages: pins, notes, tags, read. */
import type { MessageRow } from '../../contract/message.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { noMessage } from '../../domain/no-message.ts';
import { rowWithPatch } from '../../domain/row-patch.ts';
import { publishFailure } from '../publishing/publish-checks.ts';
import { rowOf } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveSet } from '../state/live-set.ts';
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
  readonly #live: LiveSet;

  constructor(targets: Targets, deliveries: Deliveries, live: LiveSet) {
    this.#targets = targets;
    this.#deliveries = deliveries;
    this.#live = live;
  }

  /**
   * Changes marks; resolves with the changed row. Throws Refusal NOT_FOUND, and that of a publish where an unfinished message has no
   * memory for its note and tags.
   */
  async update(messageId: string, { read, ...rest }: MessageMarks): Promise<MessageRow> {
    const message = await this.#targets.message(messageId);
    if (message === undefined) throw noMessage(messageId);
    try {
      this.#mustHaveRoom(message, rest);
      await this.#deliveries.patchMessage(message, {
        ...rest,
        ...(read === undefined ? {} : { unread: !read }),
      });
      return rowOf(message, iso);
    } finally {
      this.#targets.release(message);
    }
  }

  /** Nothing may wait between this and the change. */
  #mustHaveRoom(message: LiveMessage, marks: Omit<MessageMarks, 'read'>): void {
    const { row } = message;
    if (hasAllEnded(message)) return;
    const reason = this.#live.backlog.fullWithRow(row, rowWithPatch(row, marks, undefined));
    if (reason !== undefined) throw publishFailure(row.pubsubname, row.topic, reason);
  }
}

/** A message that is in memory only for this act. */
function hasAllEnded({ row, deliveries }: LiveMessage): boolean {
  const isStaged = row.stage === 'held' || row.stage === 'waiting' || row.waitingFor !== undefined;
  return !isStaged && deliveries.every(hasEnded);
}
