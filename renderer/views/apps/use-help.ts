/** Moves the focus to what helps in the card of an app, when a banner about this app has led here. */
import { useEffect, type RefObject } from 'react';
import { useConsole, useParam } from '../../state/context.ts';

/** What is marked in a card, in the order in which it helps: acts on the messages of a problem, the address, the process, another discovery. */
const HELPS = ['acts', 'address', 'process', 'discovery'] as const;
type Helps = (typeof HELPS)[number];

/** Makes the mark of an element whose first control helps. */
export function helps(what: Helps): { readonly 'data-helps': Helps } {
  return { 'data-helps': what };
}

/** The control to which the focus goes: what the problem is about comes first, else whatever the card has. */
function controlIn(card: HTMLElement, wanted: string | undefined): HTMLElement | undefined {
  const order = [...HELPS].toSorted((a, b) => Number(b === wanted) - Number(a === wanted));
  const marked = order.flatMap((what) => card.querySelector<HTMLElement>(`[data-helps="${what}"]`) ?? []);
  for (const each of marked) {
    // The address of an app is folded at first.
    const folded = each.closest('details');
    if (folded !== null) folded.open = true;
    const control = each.querySelector<HTMLElement>('input, button, a');
    if (control !== null) return control;
  }
  return undefined;
}

/** @param card the card of the app */
export function useHelp(card: RefObject<HTMLElement | null>, appId: string): void {
  const { navigation } = useConsole();
  const isMeant = useParam('a') === appId;
  const wanted = useParam('h');
  useEffect(() => {
    if (!isMeant || card.current === null) return;
    (controlIn(card.current, wanted) ?? card.current).focus();
    // A later visit of the screen is not led there again, and a link that is pressed again is.
    navigation.change({ a: undefined, h: undefined }, { replace: true });
  }, [card, isMeant, wanted, navigation]);
}
