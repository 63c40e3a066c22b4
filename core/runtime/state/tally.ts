/** How many deliveries are in which state, for a topic, a subscription or all together. */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { StateCounts } from '../../contract/subscription.ts';

/** Whose state is counted. */
export interface Counted {
  readonly pubsubname: string;
  readonly topic: string;
  /** Name of the subscription's lane. */
  readonly lane: string;
}

export class Tally {
  readonly #counts: Record<DeliveryState, number> = {
    queued: 0,
    held: 0,
    attempting: 0,
    retrying: 0,
    processed: 0,
    dropped: 0,
    expired: 0,
    'dead-lettered': 0,
    parked: 0,
  };

  get(state: DeliveryState): number {
    return this.#counts[state];
  }

  /** Never below 0: topics that were forgotten for their number begin again. */
  add(state: DeliveryState, by: number): void {
    const counts = this.#counts;
    const now = counts[state] + by;
    counts[state] = now < 0 ? 0 : now;
  }

  /** Deliveries that have not ended. */
  get open(): number {
    const { queued, held, attempting, retrying, parked } = this.#counts;
    return queued + held + attempting + retrying + parked;
  }

  all(): Readonly<Record<DeliveryState, number>> {
    return { ...this.#counts };
  }

  /** Only where there are any. */
  shown(): StateCounts {
    return Object.fromEntries(
      DELIVERY_STATES.flatMap((state) => (this.#counts[state] > 0 ? [[state, this.#counts[state]]] : [])),
    );
  }
}
