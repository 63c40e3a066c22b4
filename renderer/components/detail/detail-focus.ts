/** Where the focus goes when the open message is closed, has the screen to itself, or gives way to the next one. */
import { useEffect, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';
import { isNowhere } from '../kept-focus.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import type { Console } from '../../state/console.ts';
import { useConsole } from '../../state/context.ts';

/** What Escape ends before it ends the panel: typing, an editor, something that is open over it. */
const OWN_ESCAPE =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, .cm-editor, [role="menu"], [role="listbox"], [role="dialog"]';

/** Escape in the panel closes it; closed, the focus is in the list again; alone on the screen, the panel has it. */
export function useDetailFocus(open: string | undefined, isAlone: boolean): void {
  const console = useConsole();
  const before = useRef(open);
  useEffect(() => {
    const was = before.current;
    before.current = open;
    if (open === undefined) walking.delete(console);
    if (!isNowhere()) return;
    if (open === undefined && was !== undefined) focusAnchor(ANCHORS.grid);
    else if (open !== undefined && was === undefined && isAlone) focusAnchor(ANCHORS.detail);
  }, [console, open, isAlone]);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { key, target } = event;
      if (key !== 'Escape' || event.defaultPrevented || !(target instanceof Element)) return;
      if (target.closest(`#${ANCHORS.detail}`) === null || target.closest(OWN_ESCAPE) !== null) return;
      event.preventDefault();
      console.navigation.change({ m: undefined, d: undefined, t: undefined });
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [console]);
}

type Step = 1 | -1;

/** The button that led to the message that is open. */
const walking = new WeakMap<Console, Step>();

export interface WalkFocus {
  readonly ref: RefObject<HTMLButtonElement | null>;
  /** To be told that the button was pressed. */
  readonly pressed: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** The head is drawn again with the next message: the button that led there has the focus again, to be pressed again. */
export function useWalkFocus(step: Step): WalkFocus {
  const console = useConsole();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (walking.get(console) === step && isNowhere()) ref.current?.focus();
  }, [console, step]);
  return {
    ref,
    pressed: () => void walking.set(console, step),
    // Somebody went elsewhere; a button that is removed blurs to nowhere.
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget !== null) walking.delete(console);
    },
  };
}
