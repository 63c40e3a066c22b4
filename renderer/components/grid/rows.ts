/** Rows that a grid draws. Three hooks return them in this form. */

/** One drawn row. */
export interface GridItem {
  /** Index among all rows, from 0. */
  readonly index: number;
  /** Distance from the start of the rows in px; undefined: the row is in normal flow. */
  readonly top: number | undefined;
  /** Number of the element, which other rows reuse later. */
  readonly slot: number;
}

export interface GridRows {
  readonly items: readonly GridItem[];
  /** Height of all rows in px; undefined: the rows determine it. */
  readonly heightPx: number | undefined;
  /** Rows that fit into the viewport, by which Page Up and Page Down move. */
  readonly fitting: number;
  /** True if the last row is completely visible. */
  readonly isAtEnd: boolean;
  /** Scrolls as little as needed to show a row. */
  readonly show: (index: number) => void;
  /** Receives the element of each row, if heights differ. */
  readonly measure: ((element: Element | null) => void) | undefined;
}

/** Step of Page Up and Page Down in a grid without its own scrolling. */
const PAGE = 10;

/**
 * All rows in normal flow, for grids with at most a few hundred rows.
 * @param elementOf the element of a row, which is scrolled into view
 */
export function allRows(count: number, elementOf: (index: number) => Element | null): GridRows {
  return {
    items: Array.from({ length: count }, (_, index) => ({ index, top: undefined, slot: index })),
    heightPx: undefined,
    fitting: PAGE,
    isAtEnd: true,
    show: (index) => elementOf(index)?.scrollIntoView({ block: 'nearest' }),
    measure: undefined,
  };
}
