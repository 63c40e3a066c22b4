/**
 * Moves the focus when its element is removed: to the grid around it, else to the nearest part of the screen
 * that still exists.
 */
import { useEffect, type RefObject } from 'react';

/** An element and its ancestors, from the inside out. The path outlives the element. */
export type FocusPath = readonly Element[];

const GRID = '[role="grid"], [role="treegrid"]';
const REGION = 'section[aria-label], main';
/** Dialogs and menus, which return the focus themselves. */
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

export function focusPath(element: Element | null): FocusPath {
  const path: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
}

/** Whether no element of the page has the focus. */
export function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The grid of a path, if it still exists and takes the focus itself. */
export function gridOf(path: FocusPath): HTMLElement | undefined {
  const grid = path.find((each) => each.matches(GRID));
  return grid instanceof HTMLElement && grid.isConnected && grid.tabIndex >= 0 ? grid : undefined;
}

/**
 * The grid, else the nearest part of the screen. Buttons are excluded, because Enter would press them
 * unintentionally.
 */
export function nearestTo(path: FocusPath): HTMLElement | undefined {
  const region =
    path.find((each) => each.isConnected && each.matches(REGION)) ?? document.querySelector('main');
  if (!(region instanceof HTMLElement)) return undefined;
  // A part of the screen takes the focus only from here, never by Tab.
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  return gridOf(path) ?? region;
}

/**
 * Watches the screen. When the focused element is removed and no code moves the focus, it goes to the nearest
 * part.
 */
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
      // The screen that removed the element may move the focus once it is drawn.
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
