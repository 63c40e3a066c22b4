/** The words for what holds things. */
import type { HeldItem, Hold } from '../../core/contract/hold.ts';
import { fill } from '../copy/fill.ts';
import { WAITING } from '../copy/why.ts';

/**
 * Names of what holds these things: holds, quoted, in the order of the queue; "by hand" for those that no hold caught.
 * A hold that caught something earlier is not named.
 */
export function holdersOf(
  items: readonly Pick<HeldItem, 'heldBy'>[],
  holds: readonly Pick<Hold, 'holdId' | 'name' | 'filter'>[],
): string {
  const names = items.map(({ heldBy }) => {
    if (heldBy === undefined) return WAITING.byHand;
    const hold = holds.find(({ holdId }) => holdId === heldBy);
    if (hold === undefined) return WAITING.byRemovedHold;
    const name = hold.name ?? hold.filter;
    return name === '' ? WAITING.byUnnamedHold : fill(WAITING.byHold, { hold: name });
  });
  return [...new Set(names)].join(', ');
}
