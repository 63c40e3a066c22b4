/** Open observed deliveries. Only their sidecar can end them, so their number is limited here. */
import { hasEnded } from '../../domain/delivery-end.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import type { LiveDelivery } from '../state/live.ts';

/** Maximum number of open deliveries, because each takes memory. */
const MAX_OPEN = 20_000;

export class OpenDeliveries {
  readonly #outcomes: Outcomes;
  /** Oldest first. */
  readonly #open = new Set<LiveDelivery>();

  constructor(outcomes: Outcomes) {
    this.#outcomes = outcomes;
  }

  /** Adds a delivery as the newest one. Beyond the limit the oldest retrying ones count as finished. */
  add(d: LiveDelivery): void {
    this.#open.delete(d);
    this.#open.add(d);
    for (const oldest of this.#open) {
      const isOver = hasEnded(oldest) || oldest.message.isRemoved;
      if (!isOver && (this.#open.size <= MAX_OPEN || oldest.state !== 'retrying')) return;
      this.#open.delete(oldest);
      if (!isOver) this.#outcomes.endObserved(oldest);
    }
  }

  /** Removes a delivery that has ended. */
  settled(d: LiveDelivery): void {
    if (hasEnded(d)) this.#open.delete(d);
  }

  /** Number of an app's deliveries that have not ended. */
  countOf(appId: string): number {
    return [...this.#open].filter((d) => d.appId === appId && !hasEnded(d) && !d.message.isRemoved).length;
  }
}
