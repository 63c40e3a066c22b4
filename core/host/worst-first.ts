/**
 * The banners of all parts in one list. The worst stand first, so that newer warnings do not hide an error that still stands. Of one level
 * the one that came last is first: what just happened is what a person looks for.
 */
import type { SystemDescription } from '../contract/reports.ts';
import type { Cancel, Clock } from '../ports/clock.ts';

type Banners = SystemDescription['banners'];

/** Interval of the looks. Banners that came between two looks stay in the order of their parts. */
const POLL_INTERVAL_MS = 1000;

const RANK: Readonly<Record<Banners[number]['level'], number>> = { error: 0, warn: 1, info: 2 };

export interface OrderedBanners {
  /** The present banners. */
  banners(): Banners;
  close(): void;
}

/**
 * Orders banners by their level, then by when they were first there. Some parts make theirs only when they are asked, so they are asked
 * again and again.
 * @param read the present banners of all parts
 * @param failed called when a look failed and the one before did not
 */
export function worstFirst(
  clock: Clock,
  read: () => Banners,
  failed: (error: unknown) => void,
): OrderedBanners {
  /** Number of the look that found each present banner first. */
  let found: ReadonlyMap<string, number> = new Map();
  let looks = 0;
  let hasFailed = false;
  const banners = (): Banners => {
    const present = read();
    looks += 1;
    found = new Map(present.map(({ id }) => [id, found.get(id) ?? looks]));
    return present.toSorted(
      (one, other) =>
        RANK[one.level] - RANK[other.level] || (found.get(other.id) ?? 0) - (found.get(one.id) ?? 0),
    );
  };
  let cancel: Cancel;
  const later = (): void => {
    cancel = clock.at(clock.now() + POLL_INTERVAL_MS, () => {
      later();
      try {
        banners();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) failed(error);
        hasFailed = true;
      }
    });
  };
  later();
  return { banners, close: () => cancel() };
}
