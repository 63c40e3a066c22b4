/**
 * Moves the focus when its element is removed: to the grid around it, else to the nearest part of the screen
 * that still exists.
 */
import { useEffect, type RefObject } from 'react';

/** An element and its ancestors, from the inside out. The path outlives the element. */
export type FocusPath = readonly Element[];

const GRID = '[role="grid"], [role="treegrid"]';
/** A row of a list or table without keys of its own, or of a grid whose cells take the focus; or a strip below the top bar. */
const ITEM = 'li, tr, [role="row"], [data-strip]';
const FIELD = 'input, textarea';
const REGION = 'section[aria-label], form, [role="tabpanel"], main';
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

/** The grid of a part of the screen that has one: what was pressed beside it was about its rows. */
function onlyGridOf(region: HTMLElement): HTMLElement | undefined {
  if (region.tagName === 'MAIN') return undefined;
  const [grid, ...others] = region.querySelectorAll(GRID);
  return grid === undefined || others.length > 0 ? undefined : gridOf([grid]);
}

/** The row of a list or table around an element, by its place among the others. */
export interface Spot {
  readonly item: Element;
  readonly list: Element;
  readonly place: number;
}

function rowsOf(list: Element): readonly Element[] {
  return [...list.children].filter((each) => each.matches(ITEM));
}

function spotOf(element: Element): Spot | undefined {
  const item = element.closest(ITEM);
  const list = item?.parentElement;
  return item === null || !list ? undefined : { item, list, place: rowsOf(list).indexOf(item) };
}

/** The row itself, else the one that came to its place, or the last one; undefined: it was the only one, or its list is gone. */
function rowInPlace(spot: Spot | undefined): HTMLElement | undefined {
  if (spot === undefined || !spot.list.isConnected) return undefined;
  const rows = rowsOf(spot.list);
  const row = spot.item.isConnected ? spot.item : rows[Math.min(spot.place, rows.length - 1)];
  return row instanceof HTMLElement ? row : undefined;
}

/**
 * The grid, else the row or the one in its place, else the nearest part of the screen. Buttons are excluded, because Enter would
 * press them unintentionally.
 */
export function nearestTo(path: FocusPath, spot?: Spot): HTMLElement | undefined {
  const row = rowInPlace(spot);
  if (row !== undefined && gridOf(path) === undefined) {
    const field = row.matches('[role="row"]') ? row.querySelector(FIELD) : null;
    if (field instanceof HTMLElement) return field;
    if (!row.hasAttribute('tabindex')) row.tabIndex = -1;
    return row;
  }
  const region =
    path.find((each) => each.isConnected && each.matches(REGION)) ?? document.querySelector('main');
  if (!(region instanceof HTMLElement)) return undefined;
  // A part of the screen takes the focus only from here, never by Tab.
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  return gridOf(path) ?? onlyGridOf(region) ?? region;
}

/**
 * Watches the screen, or the strips above it. When the focused element is removed and no code moves the focus, it goes to the nearest
 * part.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const watched = part.current;
    if (watched === null) return undefined;
    let path: FocusPath = [];
    let spot: Spot | undefined;
    let frame = 0;
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest(OVER_THE_PAGE) !== null) return;
      path = focusPath(target);
      spot = spotOf(target);
    };
    const lead = (): void => {
      const [last] = path;
      if (last === undefined || last.isConnected || !isNowhere()) return;
      nearestTo(path, spot)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (path[0] === undefined || path[0].isConnected || !isNowhere()) return;
      cancelAnimationFrame(frame);
      // The screen that removed the element may move the focus once it is drawn.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(lead);
      });
    });
    watched.addEventListener('focusin', note);
    observer.observe(watched, { childList: true, subtree: true });
    return () => {
      watched.removeEventListener('focusin', note);
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [part]);
}
