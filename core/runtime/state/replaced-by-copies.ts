/**
 * Deliveries that a copy on a dead-letter topic is about to replace. Until they have ended, they and the copy
 * both count. Publishes are judged without them; otherwise a burst of copies would make Sidelight refuse
 * publishes to another topic for a moment.
 */
import type { Mutable } from '../../contract/mutable.ts';
import type { Charge, Waiting } from '../../domain/backlog.ts';

/** The counted parts of a replaced delivery. */
interface Part<Use> {
  readonly use: Use;
  isOpen: boolean;
  share: Charge | undefined;
}

type Sum = Mutable<Waiting>;

const NONE: Waiting = { count: 0, bytes: 0, memory: 0 };
const ONE: Charge = { count: 1, bytes: 0, memory: 0, isLent: false };

export class ReplacedByCopies<Delivery, Use> {
  readonly #parts = new Map<Delivery, Part<Use>>();
  readonly #all: Sum = { ...NONE };
  readonly #byUse = new Map<Use, Sum>();

  get all(): Waiting {
    return this.#all;
  }

  of(use: Use | undefined): Waiting {
    return (use === undefined ? undefined : this.#byUse.get(use)) ?? NONE;
  }

  has(d: Delivery): boolean {
    return this.#parts.has(d);
  }

  /** @param share share of the delivery's message, if the delivery is its last open one */
  begin(d: Delivery, use: Use, share: Charge | undefined): void {
    // A copy that was being made of it before counts no more.
    this.stays(d);
    this.#parts.set(d, { use, isOpen: true, share });
    this.#add(use, ONE, 1);
    if (share !== undefined) this.#add(use, share, 1);
  }

  /** Notes that the delivery has ended and no longer counts. */
  ended(d: Delivery): void {
    const part = this.#parts.get(d);
    if (part?.isOpen !== true) return;
    part.isOpen = false;
    this.#add(part.use, ONE, -1);
    if (part.share === undefined) this.#parts.delete(d);
  }

  /** Notes that the share of the deliveries' message no longer counts. */
  forgotten(deliveries: readonly Delivery[]): void {
    if (this.#parts.size === 0) return;
    for (const d of deliveries) {
      const part = this.#parts.get(d);
      if (part?.share === undefined) continue;
      this.#add(part.use, part.share, -1);
      part.share = undefined;
      if (!part.isOpen) this.#parts.delete(d);
    }
  }

  /** Notes that no copy was made, so the delivery stays. */
  stays(d: Delivery): void {
    this.forgotten([d]);
    this.ended(d);
  }

  #add(use: Use, of: Charge, sign: 1 | -1): void {
    const own = this.#byUse.get(use) ?? { ...NONE };
    this.#byUse.set(use, own);
    addTo(own, of, sign);
    addToAll(this.#all, of, sign);
    if (own.count === 0 && own.bytes === 0 && own.memory === 0) this.#byUse.delete(use);
  }
}

/** Adds a share to the sum of its topic, or takes it from there. */
export function addTo(sum: Sum, of: Waiting, sign: 1 | -1): void {
  sum.count += sign * of.count;
  sum.bytes += sign * of.bytes;
  sum.memory += sign * of.memory;
}

/** Adds a share to the sum of all topics, or takes it from there. */
export function addToAll(sum: Sum, of: Charge, sign: 1 | -1): void {
  if (of.isLent) sum.count += sign * of.count;
  else addTo(sum, of, sign);
}

export function without(sum: Waiting, part: Waiting): Waiting {
  if (part === NONE) return sum;
  return { count: sum.count - part.count, bytes: sum.bytes - part.bytes, memory: sum.memory - part.memory };
}
