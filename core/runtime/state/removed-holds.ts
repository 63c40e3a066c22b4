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
  /** Number of holds before it in the list. */
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

  find(holdId: string): RemovedHold | undefined {
    return this.#removed.find(({ hold }) => hold.holdId === holdId);
  }

  /** Resolves when that is on disk. */
  remember(removed: RemovedHold): Promise<void> {
    return this.#keep([...this.#removed, removed].slice(-MAX_REMOVED));
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
