/** Gives the keyboard to the list of messages when the page is loaded with an open message, as after a reload. */
import { useEffect } from 'react';
import { isNowhere } from '../components/kept-focus.ts';
import { ANCHORS } from '../keys/anchors.ts';
import { useConsole } from '../state/context.ts';

/** What a person does first; from then on the focus is where they put it. A focus that anything else takes counts too. */
const FIRST_ACTS = ['pointerdown', 'keydown', 'focusin'] as const;

/**
 * Focuses the list as a click on its row does, once it is there: its rows come later than the frame. Beside nothing, in a narrow window, it
 * never comes.
 */
export function useFocusAtLoad(): void {
  const console = useConsole();
  useEffect(() => {
    if (console.navigation.param('m') === undefined || !isNowhere()) return undefined;
    const observer = new MutationObserver(() => {
      const grid = document.getElementById(ANCHORS.grid);
      if (grid === null) return;
      stop();
      if (isNowhere()) grid.focus({ preventScroll: true });
    });
    const stop = (): void => {
      observer.disconnect();
      for (const act of FIRST_ACTS) document.removeEventListener(act, stop, true);
    };
    for (const act of FIRST_ACTS) document.addEventListener(act, stop, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return stop;
  }, [console]);
}
