/** The last checks before an attempt: has it expired, does a hold want it. */
import { isExpired } from '../domain/ttl.ts';
import type { Deliveries } from './delivery.ts';
import type { Holds } from './holds.ts';
import type { LiveDelivery } from './live.ts';
import type { Outcomes } from './outcome.ts';
import type { Shared } from './shared.ts';

export class Admission {
  readonly #shared: Shared;
  readonly #deliveries: Deliveries;
  readonly #outcomes: Outcomes;
  readonly #holds: Holds;

  constructor(shared: Shared, deliveries: Deliveries, outcomes: Outcomes, holds: Holds) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#outcomes = outcomes;
    this.#holds = holds;
  }

  /** True when the attempt may start now. */
  admit(d: LiveDelivery): boolean {
    if (isExpired(d.expiresAtMs, this.#shared.clock.now())) {
      void this.#outcomes.expireIfPast(d);
      return false;
    }
    if (!this.#holds.any('delivery')) return true;
    const hold = this.#holds.atDelivery(d);
    if (hold === undefined) return true;
    const written = this.#deliveries.apply(
      d,
      { type: 'hold' },
      { note: hold.name ?? (hold.filter === '' ? 'all deliveries' : hold.filter) },
    );
    d.heldBy = hold.holdId;
    d.heldAt = 'delivery';
    void written;
    void this.#deliveries.changed(d);
    if (hold.releaseAfterMs !== undefined) this.#releaseLater(d, hold.releaseAfterMs);
    return false;
  }

  #releaseLater(d: LiveDelivery, afterMs: number): void {
    const timer = d.timer;
    const { heldBy } = d;
    this.#shared.timers.at(this.#shared.clock.now() + afterMs, () => {
      if (d.timer !== timer || d.state !== 'held') return;
      if (heldBy !== undefined) d.releasedFrom = [...d.releasedFrom, heldBy];
      void this.#deliveries.apply(d, { type: 'hold.over' });
    });
  }
}
