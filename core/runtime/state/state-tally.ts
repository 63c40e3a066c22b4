/** Number of deliveries by state, for a topic, a subscription or in total. */
import { DELIVERY_STATES, isEndedState } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { StateCounts } from '../../contract/subscription.ts';

/** Item whose state is counted. */
export interface Counted {
  readonly pubsubname: string;
  readonly topic: string;
  /** Name of the subscription's lane. */
  readonly lane: string;
}

/** Index of a state: each message is counted many times, and an index is found far faster than a member by name. */
export function placeOf(state: DeliveryState): number {
  return DELIVERY_STATES.indexOf(state);
}

const OPEN_PLACES = DELIVERY_STATES.filter((state) => !isEndedState(state)).map(placeOf);

export class StateTally {
  /** Counts by index of the state. */
  readonly #counts = DELIVERY_STATES.map(() => 0);

  get(state: DeliveryState): number {
    return this.#counts[placeOf(state)] ?? 0;
  }

  add(state: DeliveryState, by: number): void {
    this.addAt(placeOf(state), by);
  }

  /** Never below 0, because counters of forgotten topics start again at 0. */
  addAt(place: number, by: number): void {
    const now = (this.#counts[place] ?? 0) + by;
    this.#counts[place] = now < 0 ? 0 : now;
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  /** Deliveries that have not ended. */
  get open(): number {
    let open = 0;
    for (const place of OPEN_PLACES) open += this.#counts[place] ?? 0;
    return open;
  }

  all(): Readonly<Record<DeliveryState, number>> {
    const all = DELIVERY_STATES.map((state) => [state, this.get(state)] as const);
    // Each state occurs once.
    return Object.fromEntries(all) as Record<DeliveryState, number>;
  }

  /** Counts above 0, by state. */
  shown(): StateCounts {
    return Object.fromEntries(
      DELIVERY_STATES.flatMap((state) => (this.get(state) > 0 ? [[state, this.get(state)]] : [])),
    );
  }
}
