/**
 * Messages that this instance published before a group subscribed to their topic. The group then asks for those that the server has lost.
 */
import { NotHandedOver } from './not-handed-over.ts';

/** Maximum number of messages; the oldest are forgotten. Otherwise topics without subscribers would fill memory. */
const MAX = 100_000;

interface Kept {
  readonly topic: string;
  readonly key: string;
  readonly messageId: string;
}

export class BeforeSubscription {
  #kept: Kept[] = [];
  /** Number of the oldest messages that were published before the connection was last lost. */
  #doubtful = 0;

  /** Notes a message that the server has stored and whose topic nobody here reads. */
  published(topic: string, key: string, messageId: string): void {
    this.#kept.push({ topic, key, messageId });
    if (this.#kept.length < 2 * MAX) return;
    const gone = this.#kept.length - MAX;
    this.#kept = this.#kept.slice(gone);
    this.#doubtful = Math.max(0, this.#doubtful - gone);
  }

  /** Called when the connection is lost: the server may lose the messages. */
  connectionLost(): void {
    this.#doubtful = this.#kept.length;
  }

  /** Messages that a new group has to ask for, because the connection was lost since. It receives anyway what the server still has. */
  doubtful(topic: string): NotHandedOver {
    return notHandedOverOf(topic, this.#kept.slice(0, this.#doubtful));
  }

  /**
   * Messages that no consumer of the group has received, including those that a server may trim or delete without a lost connection.
   * `isDoubtful`: the connection was lost since.
   */
  all(topic: string): { readonly notHandedOver: NotHandedOver; readonly isDoubtful: boolean } {
    return { notHandedOver: notHandedOverOf(topic, this.#kept), isDoubtful: this.doubtful(topic).size > 0 };
  }
}

function notHandedOverOf(topic: string, kept: readonly Kept[]): NotHandedOver {
  const notHandedOver = new NotHandedOver();
  for (const one of kept) if (one.topic === topic) notHandedOver.published(one.key, one.messageId);
  return notHandedOver;
}
