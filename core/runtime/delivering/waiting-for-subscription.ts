/** Deliveries of one lane that wait until the app subscribes again, in order of arrival. */
import type { LiveDelivery } from '../state/live.ts';

/** Number of waiting deliveries below which ended ones are not searched for. */
const FEW = 1000;

export class WaitingForSubscription {
  #waiting = new Set<LiveDelivery>();
  #lookAt = FEW;

  get size(): number {
    return this.#waiting.size;
  }

  /** True if none of them may continue: a person may have dropped all. */
  get isIdle(): boolean {
    for (const delivery of this.#waiting) {
      this.#removeIfEnded(delivery);
      if (this.#waiting.has(delivery)) return false;
    }
    return true;
  }

  has(delivery: LiveDelivery): boolean {
    return this.#waiting.has(delivery);
  }

  /** Forgets a delivery that waits elsewhere from now on. */
  delete(delivery: LiveDelivery): void {
    this.#waiting.delete(delivery);
  }

  /** Adds a delivery. Each time their number has doubled, ended ones are removed, so that they do not stay in memory. */
  add(delivery: LiveDelivery): void {
    this.#waiting.add(delivery);
    if (this.#waiting.size < this.#lookAt) return;
    for (const each of this.#waiting) this.#removeIfEnded(each);
    this.#lookAt = Math.max(FEW, this.#waiting.size * 2);
  }

  /** All deliveries, oldest first; they stay here. */
  all(): readonly LiveDelivery[] {
    return [...this.#waiting];
  }

  /** Takes out all deliveries, oldest first. */
  takeAll(): ReadonlySet<LiveDelivery> {
    const all = this.#waiting;
    this.#waiting = new Set();
    this.#lookAt = FEW;
    return all;
  }

  #removeIfEnded(delivery: LiveDelivery): void {
    const mayGoOn =
      !delivery.message.isRemoved &&
      (delivery.state === 'queued' || delivery.state === 'retrying' || delivery.state === 'held');
    if (mayGoOn) return;
    delivery.leaveQueue();
    this.#waiting.delete(delivery);
  }
}
