/** What a grid draws: three ways to find its rows, with one shape. */

/** One drawn row. */
export interface GridItem {
  /** Place among all rows, from 0. */
  readonly index: number;
  /** Distance from the start of the rows in px; undefined: the row is in the flow. */
  readonly top: number | undefined;
  /** Number of an element that other rows use again after this one has left. */
  readonly slot: number;
}

export interface GridRows {
  readonly items: readonly GridItem[];
  /** Height of all rows in the page in px; undefined: the rows give the height themselves. */
  readonly heightPx: number | undefined;
  /** Rows that fit into the viewport; Page Up and Page Down move by as many. */
  readonly fitting: number;
  /** The last row is in sight, whole. */
  readonly isAtEnd: boolean;
  /** Scrolls as little as needed to show a row. */
  readonly show: (index: number) => void;
  /** Takes the element of each row where rows differ in height. */
  readonly measure: ((element: Element | null) => void) | undefined;
}

/** Page Up and Page Down of a grid whose rows are in the page. */
const PAGE = 10;

/**
 * Every row, in the flow of the page: for grids of a few hundred rows at most.
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
