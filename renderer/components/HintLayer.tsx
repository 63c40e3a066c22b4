/** The one tooltip of the page. */
import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useSelected } from '../state/store.ts';
import { HintsContext } from './Hint.tsx';
import css from './Hint.module.css';
import { createHints, type Hints } from './hints.ts';
import { Keys } from './Keys.tsx';

/** Gives the controls below it one tooltip. */
export function HintLayer({ children }: { readonly children: ReactNode }): ReactElement {
  const [hints] = useState(createHints);
  return (
    <HintsContext value={hints}>
      {children}
      <ShownHint hints={hints} />
    </HintsContext>
  );
}

/**
 * The tooltip that is shown now. One that came by the pointer takes it, so that the text can be read under a magnifier; a press on it
 * closes it and nothing else. One that came by the keyboard lets the pointer through: over a list it lies on the next control,
 * which must stay within reach of the mouse.
 */
function ShownHint({ hints }: { readonly hints: Hints }): ReactElement | null {
  const shown = useSelected(hints.store, (state) => state.shown);
  const popup = useRef<HTMLDivElement>(null);
  const isShown = shown !== undefined;
  useEffect(() => (isShown ? keepFromPage(hints, popup) : undefined), [hints, isShown]);
  if (!isShown) return null;
  const { text, keys, side = 'bottom', anchor, isByPointer } = shown;
  return (
    <Tooltip.Root open>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          side={side}
          sideOffset={6}
          className={css.positioner}
          data-hovered={isByPointer || undefined}
        >
          <Tooltip.Popup
            ref={popup}
            className={css.popup}
            onPointerEnter={hints.stay}
            onPointerLeave={hints.leave}
          >
            <span>{text}</span>
            {keys !== undefined && keys.length > 0 && <Keys keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

const OVER_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

/**
 * Ends the tooltip by a press, before a dialog or menu under it hears of that: to those the tooltip is a place outside, and they would
 * close as well. Escape ends what is open over the page together with the tooltip; on the page itself it ends the tooltip alone.
 * @returns how to stop listening
 */
function keepFromPage(hints: Hints, popup: { readonly current: Element | null }): () => void {
  const listening = new AbortController();
  const early = { capture: true, signal: listening.signal };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    const isOver = document.activeElement?.closest(OVER_PAGE) instanceof Element;
    if (!isOver) event.stopPropagation();
    hints.close();
  };
  const press = (event: Event): void => {
    if (!(event.target instanceof Node) || popup.current?.contains(event.target) !== true) return;
    event.stopPropagation();
    event.preventDefault();
    if (event.type === 'click') hints.close();
  };
  window.addEventListener('keydown', escape, early);
  for (const type of PRESSES) window.addEventListener(type, press, early);
  return () => listening.abort();
}
