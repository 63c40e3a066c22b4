/** The one tooltip of the page. */
import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useSelected } from '../state/store.ts';
import { HintsContext } from './Hint.tsx';
import css from './Hint.module.css';
import { createHints, type Hints } from './hints.ts';
import { Keys } from './Keys.tsx';

/** Provides one tooltip for all controls below it. */
export function HintLayer({ children }: { readonly children: ReactNode }): ReactElement {
  const [hints] = useState(createHints);
  useEffect(() => followHands(hints), [hints]);
  return (
    <HintsContext value={hints}>
      {children}
      <ShownHint hints={hints} />
    </HintsContext>
  );
}

/**
 * The open tooltip. One opened by the pointer can be hovered, so that it can be read under a magnifier; a
 * press on it closes only the tooltip. One opened by the keyboard lets the pointer through, because over a
 * list it covers the next control.
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

/** Keys that do nothing alone; Escape closes the tooltip by itself. */
const QUIET_KEYS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Escape']);

/**
 * Tells the tooltips whether a person points or types. The page can move under a pointer that rests; only a place that changes tells that
 * the pointer moved, and it has to be known before the control hears of the pointer.
 * @returns function that stops listening
 */
function followHands(hints: Hints): () => void {
  const listening = new AbortController();
  const early = { capture: true, signal: listening.signal };
  let at = '';
  const point = ({ screenX, screenY }: PointerEvent): void => {
    const place = `${screenX} ${screenY}`;
    if (place !== at) hints.moved();
    at = place;
  };
  // React tells a control of the pointer as soon as that leaves what it was on.
  for (const type of ['pointerout', 'pointerover', 'pointermove'] as const)
    window.addEventListener(type, point, early);
  const press = ({ key }: KeyboardEvent): void => {
    if (!QUIET_KEYS.has(key)) hints.keyed();
  };
  window.addEventListener('keydown', press, early);
  return () => listening.abort();
}

const OVER_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

/**
 * Closes the tooltip at a press, before a dialog or menu under it gets the event: they would take the tooltip for a place outside and close
 * as well. Escape closes the tooltip together with what is open over the page; on the page itself only the tooltip.
 * @returns function that stops listening
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
