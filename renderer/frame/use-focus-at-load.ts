/** Gives the keyboard to the messages when the page is loaded with an open one, as after a reload. */
import { useEffect } from 'react';
import { isNowhere } from '../components/kept-focus.ts';
import { isNarrow } from '../components/use-narrow.ts';
import { ANCHORS } from '../keys/anchors.ts';
import { useConsole } from '../state/context.ts';

/** What a person does first; from then on the focus is where they put it. A focus that anything else takes counts too. */
const FIRST_ACTS = ['pointerdown', 'keydown', 'focusin'] as const;

/**
 * Focuses the list as a click on its row does, or the message where it takes the place of the list in a narrow window, once it is
 * seen: both come later than the frame.
 */
export function useFocusAtLoad(): void {
  const console = useConsole();
  useEffect(() => {
    if (console.navigation.param('m') === undefined || !isNowhere()) return undefined;
    const observer = new MutationObserver(() => {
      // A part that is still hidden takes no focus; one that takes it ends the wait.
      if (isNowhere())
        document.getElementById(isNarrow() ? ANCHORS.detail : ANCHORS.grid)?.focus({ preventScroll: true });
    });
    const stop = (): void => {
      observer.disconnect();
      for (const act of FIRST_ACTS) document.removeEventListener(act, stop, true);
    };
    for (const act of FIRST_ACTS) document.addEventListener(act, stop, true);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      // The screen is hidden until its parts have settled.
      attributeFilter: ['data-settling'],
    });
    return stop;
  }, [console]);
}
