/** Which tabs have room in one line. */

/** Widths in px. */
export interface Line {
  /** Width of each tab, in their order. */
  readonly tabs: readonly number[];
  /** Width of the line. */
  readonly room: number;
  /** Width of the button that leads to the others. */
  readonly more: number;
}

/**
 * The places of the tabs that are shown: all if they have room, otherwise the first ones beside the button. The chosen one is always among
 * them, because a row of tabs says which one is open.
 * @param chosen its place; -1: none
 */
export function fittingTabs({ tabs, room, more }: Line, chosen: number): ReadonlySet<number> {
  const sum = tabs.reduce((all, width) => all + width, 0);
  if (sum <= room) return new Set(tabs.keys());
  const shown = new Set(chosen === -1 ? [] : [chosen]);
  let left = room - more - (tabs[chosen] ?? 0);
  for (const [place, width] of tabs.entries()) {
    if (place === chosen) continue;
    left -= width;
    if (left < 0) break;
    shown.add(place);
  }
  return shown;
}
