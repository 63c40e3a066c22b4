/** The words for what holds things. */
import type { HeldItem, Hold } from '../../core/contract/hold.ts';
import { fill } from '../copy/fill.ts';
import { WAITING } from '../copy/waiting.ts';
import { WHY } from '../copy/why.ts';

type NamedHold = Pick<Hold, 'holdId' | 'name' | 'filter'>;

/** Name of a hold in a sentence, as on the Holds screen: its own, else what it holds; undefined: it is not known, or was removed. */
export function nameOfHold(
  holds: readonly NamedHold[] | undefined,
  holdId: string | undefined,
): string | undefined {
  const hold = holds?.find((each) => each.holdId === holdId);
  if (hold === undefined) return undefined;
  return hold.name ?? (hold.filter === '' ? WHY.holdForAll : hold.filter);
}

/**
 * Names of what holds these things: holds, quoted, in the order of the queue; "by hand" for those that no hold caught.
 * A hold that caught something earlier is not named.
 */
export function holdersOf(items: readonly Pick<HeldItem, 'heldBy'>[], holds: readonly NamedHold[]): string {
  const names = items.map(({ heldBy }) => {
    if (heldBy === undefined) return WAITING.byHand;
    const hold = holds.find(({ holdId }) => holdId === heldBy);
    if (hold === undefined) return WAITING.byRemovedHold;
    const name = hold.name ?? hold.filter;
    return name === '' ? WAITING.byUnnamedHold : fill(WAITING.byHold, { hold: name });
  });
  return [...new Set(names)].join(', ');
}
