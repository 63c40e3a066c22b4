/** The last checks before an attempt: whether the delivery has expired, and whether a hold catches it. */
import type { Wire } from '../../domain/codec.ts';
import { isExpired } from '../../domain/ttl.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { Outcomes } from './outcome.ts';
import type { SharedServices } from '../common-services.ts';

export class BeforeAttempt {
  readonly #shared: SharedServices;
  readonly #deliveries: Deliveries;
  readonly #outcomes: Outcomes;
  readonly #holds: Holds;

  constructor(shared: SharedServices, deliveries: Deliveries, outcomes: Outcomes, holds: Holds) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#outcomes = outcomes;
    this.#holds = holds;
  }

  /** True when a hold needs the payload and it is not in memory: it must be read before `admit` can decide. */
  mustRead(d: LiveDelivery): boolean {
    return this.#holds.mustRead('delivery', d.message);
  }

  /**
   * Whether the attempt may start now.
   * @param wire body of its message, if it was read; without it a hold may still catch it
   */
  admit(d: LiveDelivery, wire?: Wire): boolean {
    if (isExpired(d.expiresAtMs, this.#shared.clock.now())) {
      void this.#outcomes.expireIfPast(d);
      return false;
    }
    if (!this.#holds.any('delivery')) return true;
    if (wire === undefined && this.mustRead(d)) return true;
    const caught = this.#holds.atDelivery(d, wire);
    if (caught === undefined) return true;
    const { hold, undecided } = caught;
    const note = hold.name ?? (hold.filter === '' ? 'all deliveries' : hold.filter);
    if (undecided !== undefined) this.#deliveries.flag(d.message, undecided);
    this.#deliveries.move(d, { type: 'hold' }, { note, heldBy: hold.holdId });
    if (hold.releaseAfterMs !== undefined) this.armRelease(d, this.#shared.clock.now() + hold.releaseAfterMs);
    return false;
  }

  /** Begins the time after which its hold releases a delivery anew, once the drop of a held delivery was undone. */
  heldAgain(d: LiveDelivery): void {
    const hold = d.heldBy === undefined ? undefined : this.#holds.find(d.heldBy);
    if (hold?.releaseAfterMs !== undefined)
      this.armRelease(d, this.#shared.clock.now() + hold.releaseAfterMs);
  }

  /** Lets a held delivery go by itself; any transition before that cancels it. */
  armRelease(delivery: LiveDelivery, dueMs: number): void {
    delivery.arm(this.#shared.timers, dueMs, () => {
      delivery.noteRelease();
      this.#deliveries.move(delivery, { type: 'hold.over' });
    });
  }
}
