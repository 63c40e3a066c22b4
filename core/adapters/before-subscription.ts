/** Messages published from here before a group subscribed to their topic: the group that comes asks for those that the server lost meanwhile. */
import { NotHandedOver } from './not-handed-over.ts';

/** Beyond it the oldest are forgotten: memory does not grow with what nobody subscribes to. */
const MOST = 100_000;

interface Kept {
  readonly topic: string;
  readonly key: string;
  readonly messageId: string;
}

export class BeforeSubscription {
  #kept: Kept[] = [];
  /** How many of them, the oldest, were published before the server last went away. */
  #doubtful = 0;

  /** Notes a message that the server has and whose topic nobody here reads. */
  published(topic: string, key: string, messageId: string): void {
    this.#kept.push({ topic, key, messageId });
    if (this.#kept.length < 2 * MOST) return;
    const gone = this.#kept.length - MOST;
    this.#kept = this.#kept.slice(gone);
    this.#doubtful = Math.max(0, this.#doubtful - gone);
  }

  /** The server may come back without them. */
  away(): void {
    this.#doubtful = this.#kept.length;
  }

  /** For a group that subscribes now: what it has to ask for since the server was away. What is still there it is handed anyway. */
  of(topic: string): NotHandedOver {
    return notHandedOverOf(topic, this.#kept.slice(0, this.#doubtful));
  }

  /** What nobody of the group got, also messages that a server may lose without going away: trimmed or deleted. `isDoubtful`: the server was away since. */
  all(topic: string): { readonly notHandedOver: NotHandedOver; readonly isDoubtful: boolean } {
    return { notHandedOver: notHandedOverOf(topic, this.#kept), isDoubtful: this.of(topic).size > 0 };
  }
}

function notHandedOverOf(topic: string, kept: readonly Kept[]): NotHandedOver {
  const notHandedOver = new NotHandedOver();
  for (const one of kept) if (one.topic === topic) notHandedOver.published(one.key, one.messageId);
  return notHandedOver;
}
