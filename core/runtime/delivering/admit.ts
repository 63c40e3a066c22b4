/** The last checks before an attempt: has it expired, does a hold want it. */
import { isExpired } from '../../domain/ttl.ts';
import type { Deliveries } from '../live/delivery.ts';
import type { Holds } from '../live/holds.ts';
import type { LiveDelivery } from '../live/live.ts';
import type { Outcomes } from './outcome.ts';
import type { Shared } from '../common.ts';

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
    const note = hold.name ?? (hold.filter === '' ? 'all deliveries' : hold.filter);
    void this.#deliveries.apply(d, { type: 'hold' }, { note, heldBy: hold.holdId });
    if (hold.releaseAfterMs !== undefined) this.armRelease(d, this.#shared.clock.now() + hold.releaseAfterMs);
    return false;
  }

  /** Lets a held delivery go by itself; any transition before that cancels it. */
  armRelease(d: LiveDelivery, dueMs: number): void {
    d.alarm?.();
    d.alarm = this.#shared.timers.at(dueMs, () => {
      if (d.heldBy !== undefined) d.releasedFrom = [...d.releasedFrom, d.heldBy];
      void this.#deliveries.apply(d, { type: 'hold.over' });
    });
  }
}
