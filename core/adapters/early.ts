/** What was published from here before a group subscribed to its topic: for the group that comes, where the server lost it meanwhile. */
import { Unread } from './unread.ts';

/** Beyond it the oldest are forgotten: memory does not grow with what nobody subscribes to. */
const MOST = 100_000;

interface Kept {
  readonly topic: string;
  readonly key: string;
  readonly messageId: string;
}

export class Early {
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
  of(topic: string): Unread {
    return unreadOf(topic, this.#kept.slice(0, this.#doubtful));
  }

  /** Unread messages, also those that a server may lose without going away: trimmed or deleted. `isDoubtful`: the server was away since. */
  all(topic: string): { readonly unread: Unread; readonly isDoubtful: boolean } {
    return { unread: unreadOf(topic, this.#kept), isDoubtful: this.of(topic).size > 0 };
  }
}

function unreadOf(topic: string, kept: readonly Kept[]): Unread {
  const unread = new Unread();
  for (const one of kept) if (one.topic === topic) unread.published(one.key, one.messageId);
  return unread;
}
