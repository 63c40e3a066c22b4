/** The newest handshakes per event subscription, in memory. */
import type { RouterHandshake } from '../contract/event-router/local-router.ts';

const MAX_EACH = 20;
const MAX_SUBSCRIPTIONS = 1000;

export class HandshakeLog {
  readonly #bySubscription = new Map<string, RouterHandshake[]>();

  add(handshake: RouterHandshake): void {
    const key = handshake.subscriptionId.toLowerCase();
    const kept = [handshake, ...(this.#bySubscription.get(key) ?? [])].slice(0, MAX_EACH);
    this.#bySubscription.set(key, kept);
    const [oldest] = this.#bySubscription.keys();
    if (this.#bySubscription.size > MAX_SUBSCRIPTIONS && oldest !== undefined) {
      this.#bySubscription.delete(oldest);
    }
  }

  /** Handshakes, newest first. */
  list(subscriptionId?: string): readonly RouterHandshake[] {
    if (subscriptionId !== undefined) return this.#bySubscription.get(subscriptionId.toLowerCase()) ?? [];
    return [...this.#bySubscription.values()].flat().toSorted((a, b) => (a.at < b.at ? 1 : -1));
  }
}
