/** Deliveries of one app that keep an old route, with their number by subscription and route: lists are read far more often than they change. */
import type { LiveDelivery } from '../state/live.ts';
import type { LeftDeliveries } from './route-mistakes.ts';

interface Kept {
  readonly path: string;
  /** Whether that was a route of the mock app. */
  readonly isOfMock: boolean;
}

/** Number of deliveries of one subscription and route. */
interface Group extends Pick<LeftDeliveries, 'pubsubname' | 'topic' | 'path'> {
  count: number;
  ofMock: number;
}

export class LeftOfApp extends Map<LiveDelivery, Kept> {
  readonly #groups = new Map<string, Group>();
  /** The groups in their order; undefined: they have changed since. */
  #sorted: readonly LeftDeliveries[] | undefined;

  /** The deliveries by subscription and route, those of most deliveries first. */
  get groups(): readonly LeftDeliveries[] {
    this.#sorted ??= [...this.#groups.values()]
      .map(({ ofMock, ...group }) => ({ ...group, isOfMock: ofMock === group.count }))
      .toSorted((a, b) => b.count - a.count);
    return this.#sorted;
  }

  override set(d: LiveDelivery, kept: Kept): this {
    this.delete(d);
    this.#count(d, kept, 1);
    return super.set(d, kept);
  }

  override delete(d: LiveDelivery): boolean {
    const kept = this.get(d);
    if (kept === undefined) return false;
    this.#count(d, kept, -1);
    return super.delete(d);
  }

  #count({ counted, subscription }: LiveDelivery, { path, isOfMock }: Kept, by: 1 | -1): void {
    this.#sorted = undefined;
    const { pubsubname, topic } = subscription;
    const name = `${counted.lane}\n${path}`;
    const group = this.#groups.get(name) ?? { pubsubname, topic, path, count: 0, ofMock: 0 };
    group.count += by;
    if (isOfMock) group.ofMock += by;
    if (group.count === 0) this.#groups.delete(name);
    else this.#groups.set(name, group);
  }
}
