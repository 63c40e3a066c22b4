/** Holds that were removed and can be restored: the newest ones, with their places in the list. Stored in the journal. */
import type { Hold } from '../../contract/hold.ts';
import { HOLD_POINTS } from '../../contract/words.ts';
import { isObject } from '../../domain/json.ts';
import type { SharedServices } from '../common-services.ts';

const KEPT = 'removed-holds';
/** Maximum number of removed holds that can be restored: each has a filter, and all are written with each removal. */
const MAX_REMOVED = 50;

interface RemovedHold {
  readonly hold: Hold;
  /** Its place among all holds, those that are there and those that were removed: it stays when others go or come back. */
  readonly place: number;
}

export class RemovedHolds {
  readonly #shared: Pick<SharedServices, 'journal' | 'writer'>;
  #removed: readonly RemovedHold[] = [];

  constructor(shared: Pick<SharedServices, 'journal' | 'writer'>) {
    this.#shared = shared;
  }

  /** @param isKnown whether a hold is in the list: a crash between two writes leaves it in both places */
  async load(isKnown: (holdId: string) => boolean): Promise<void> {
    const kept = await this.#shared.journal.kept(KEPT);
    if (!Array.isArray(kept)) return;
    this.#removed = (kept as readonly unknown[]).flatMap((value) => {
      if (!isObject(value)) return [];
      const { hold, place } = value;
      return isHold(hold) && !isKnown(hold.holdId) && typeof place === 'number' ? [{ hold, place }] : [];
    });
  }

  /** A removed hold, with the number of holds that are before it in the list once it is back; undefined: there is none. */
  find(holdId: string): { readonly hold: Hold; readonly index: number } | undefined {
    const found = this.#removed.find(({ hold }) => hold.holdId === holdId);
    if (found === undefined) return undefined;
    const { hold, place } = found;
    return { hold, index: place - this.#removed.filter((other) => other.place < place).length };
  }

  /**
   * Resolves when that is on disk.
   * @param index number of holds before it in the list
   */
  remember(hold: Hold, index: number): Promise<void> {
    const removed = [...this.#removed, { hold, place: placeAmong(this.#removed, index) }];
    const [oldest] = removed;
    if (oldest === undefined || removed.length <= MAX_REMOVED) return this.#keep(removed);
    const closed = removed.slice(1).map(({ hold: other, place }) => ({
      hold: other,
      place: place > oldest.place ? place - 1 : place,
    }));
    return this.#keep(closed);
  }

  /** Resolves when that is on disk. */
  forget(holdId: string): Promise<void> {
    return this.#keep(this.#removed.filter(({ hold }) => hold.holdId !== holdId));
  }

  #keep(removed: readonly RemovedHold[]): Promise<void> {
    this.#removed = removed;
    return this.#shared.writer.keep(KEPT, removed);
  }
}

/** Place among all holds of one that is in the list with so many before it. */
function placeAmong(removed: readonly RemovedHold[], index: number): number {
  const places = removed.map(({ place }) => place).toSorted((a, b) => a - b);
  return places.reduce((place, other) => (other <= place ? place + 1 : place), index);
}

/** Whether a stored value has the members of every hold. */
export function isHold(value: unknown): value is Hold {
  if (!isObject(value)) return false;
  const { holdId, at, filter, enabled, hits } = value;
  const isAt = HOLD_POINTS.some((point) => point === at);
  return (
    isAt &&
    typeof holdId === 'string' &&
    typeof filter === 'string' &&
    typeof enabled === 'boolean' &&
    typeof hits === 'number'
  );
}
