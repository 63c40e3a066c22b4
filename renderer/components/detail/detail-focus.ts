/** Moves the focus when the open message is closed, fills the screen, or is replaced by the next one. */
import { useEffect, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';
import { isNowhere } from '../kept-focus.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import type { Console } from '../../state/console.ts';
import { useConsole } from '../../state/context.ts';

/** Elements that handle Escape before the panel does: text fields, editors, open popups. */
const OWN_ESCAPE =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, .cm-editor, [role="menu"], [role="listbox"], [role="dialog"]';

/**
 * Escape in the panel closes it, and the list gets the focus. If the panel fills the screen, it has the
 * focus.
 */
export function useDetailFocus(open: string | undefined, isAlone: boolean): void {
  const console = useConsole();
  const before = useRef({ open, isAlone });
  useEffect(() => {
    const was = before.current;
    before.current = { open, isAlone };
    if (open === undefined) walking.delete(console);
    if (!isNowhere()) return;
    // A window that becomes narrow or wide draws list and panel again, so the one that had the focus loses it.
    const isRedrawn = was.isAlone !== isAlone;
    if (open === undefined && (was.open !== undefined || isRedrawn)) focusAnchor(ANCHORS.grid);
    else if (open !== undefined && (isRedrawn || (was.open === undefined && isAlone)))
      focusAnchor(ANCHORS.detail);
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

/** The button that opened the present message. */
const walking = new WeakMap<Console, Step>();

export interface WalkFocus {
  readonly ref: RefObject<HTMLButtonElement | null>;
  /** Notes that the button was pressed. */
  readonly pressed: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/**
 * Gives the focus back to the button that opened the message, because the head is drawn again with each
 * message.
 */
export function useWalkFocus(step: Step): WalkFocus {
  const console = useConsole();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (walking.get(console) === step && isNowhere()) ref.current?.focus();
  }, [console, step]);
  return {
    ref,
    pressed: () => void walking.set(console, step),
    // The focus moved elsewhere. A removed button loses it to no element.
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget !== null) walking.delete(console);
    },
  };
}
