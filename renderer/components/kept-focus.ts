/** Where the focus goes when what had it is gone: the grid it was in, else the nearest part of the screen that is still there. */
import { useEffect, type RefObject } from 'react';

/** An element and everything around it, from the inside out; it outlives the element. */
export type FocusPath = readonly Element[];

const GRID = '[role="grid"], [role="treegrid"]';
const REGION = 'section[aria-label], main';
/** Dialogs and menus give the focus back themselves. */
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

export function focusPath(element: Element | null): FocusPath {
  const path: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
}

/** Nothing on the page has the focus. */
export function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The grid of a path, while it is there and takes the focus itself. */
export function gridOf(path: FocusPath): HTMLElement | undefined {
  const grid = path.find((each) => each.matches(GRID));
  return grid instanceof HTMLElement && grid.isConnected && grid.tabIndex >= 0 ? grid : undefined;
}

/** The grid, else the nearest part of the screen; no button, which Enter would press though nobody meant it. */
export function nearestTo(path: FocusPath): HTMLElement | undefined {
  const region =
    path.find((each) => each.isConnected && each.matches(REGION)) ?? document.querySelector('main');
  if (!(region instanceof HTMLElement)) return undefined;
  // A part of the screen takes the focus from here alone, never by Tab.
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  return gridOf(path) ?? region;
}

/** Watches the screen: when what has the focus is removed and nobody leads it elsewhere, it goes to the nearest place. */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = screen.current;
    if (main === null) return undefined;
    let path: FocusPath = [];
    let frame = 0;
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.closest(OVER_THE_PAGE) === null) path = focusPath(target);
    };
    const lead = (): void => {
      const [last] = path;
      if (last === undefined || last.isConnected || !isNowhere()) return;
      nearestTo(path)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (path[0] === undefined || path[0].isConnected || !isNowhere()) return;
      cancelAnimationFrame(frame);
      // The screen that removed it may lead it elsewhere once it is drawn.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(lead);
      });
    });
    main.addEventListener('focusin', note);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener('focusin', note);
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [screen]);
}
