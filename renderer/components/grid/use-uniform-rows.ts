/** Rows of one height, for up to millions of rows, without measuring. */
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { GridRows } from './rows.ts';

/**
 * Largest scroll range in px. Larger lists are scaled, because browsers end at about 17 million (Firefox) or
 * 33 (Chromium).
 */
const TALLEST_PX = 15_000_000;
const OVERSCAN = 8;
/** Extra rows while following: the user does not scroll then, and each drawn row is drawn again at every change. */
const OVERSCAN_FOLLOWING = 2;

export interface UniformRowsOptions {
  /** The scrolled element; null before the first rendering. */
  readonly host: HTMLElement | null;
  readonly count: number;
  readonly rowPx: number;
  /** Height of the sticky head. */
  readonly headPx: number;
  /** True: the end is shown, whatever the scroll position was. */
  readonly follow: boolean;
  /** First row to draw instead of `from`, while rows of this range in sight are not there yet; absent: all rows are there. */
  readonly drawnFrom?: ((from: number, to: number) => number) | undefined;
}

export interface UniformRows extends GridRows {
  /** First row to load for the scroll position, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** First row that is drawn at the upper edge; other than `topRow`, rows of the scroll position are not there yet. */
  readonly drawnRow: number;
  /** Width of the viewport in px; 0 before it is measured. */
  readonly widthPx: number;
  /** Index of the row at the upper edge of the viewport. */
  readonly topRow: number;
  /** Index of the first row that is whole in the viewport. */
  readonly firstWhole: number;
  /** Index of the row in the middle of the viewport, also where the rows end above it. */
  readonly middleRow: number;
  /** Where the viewport is at this moment: it may have been moved since the rows were drawn. */
  readonly edgesNow: () => Edges;
  /** Moves the viewport by rows. */
  readonly moveBy: (rows: number) => void;
  /** Moves the viewport to the first row. */
  readonly toStart: () => void;
}

/** What is at the edges of the viewport. */
export interface Edges {
  /** Index of the row at the upper edge. */
  readonly topRow: number;
  /** True if the last row is completely visible. */
  readonly isAtEnd: boolean;
}

/** Geometry of a scaled range: `top` px of the list correspond to `scroll` px of the page. */
export interface Range {
  readonly heightPx: number;
  readonly ratio: number;
}

/** The scroll range of `count` rows in a viewport of `viewPx`. */
function rangeOf(count: number, rowPx: number, viewPx: number): Range {
  const fullPx = count * rowPx;
  const heightPx = Math.min(fullPx, TALLEST_PX);
  const scrollable = heightPx - viewPx;
  return { heightPx, ratio: scrollable <= 0 ? 1 : (fullPx - viewPx) / scrollable };
}

/**
 * The scroll position at the last event. While following, listeners are not called, because the target is
 * drawn already.
 */
class ScrollPosition {
  readonly #takers = new Set<() => void>();
  #top = 0;
  #isFollowing = false;
  #isKnown = false;

  readonly top = (): number => this.#top;

  /** The present position. Reading it from the element makes the browser lay out the page, so that is done only where it was moved since. */
  now(host: HTMLElement): number {
    return this.#isKnown ? this.#top : host.scrollTop;
  }

  /** Called when the page itself moves the element. */
  moved(): void {
    this.#isKnown = false;
  }

  readonly subscribe = (take: () => void): (() => void) => {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  };

  follow(isFollowing: boolean): void {
    this.#isFollowing = isFollowing;
  }

  put(top: number): void {
    this.#top = top;
    this.#isKnown = true;
    if (!this.#isFollowing) for (const take of this.#takers) take();
  }
}

interface Sizes {
  readonly viewPx: number;
  /** Height that the rows have where no button is below them. */
  readonly roomPx: number;
  readonly widthPx: number;
}

/** The sizes of the scrolled element, whose position is noted too. */
function useSizes(host: HTMLElement | null, headPx: number, position: ScrollPosition): Sizes {
  const [viewPx, setViewPx] = useState(0);
  const [roomPx, setRoomPx] = useState(0);
  const [widthPx, setWidthPx] = useState(0);

  useLayoutEffect(() => {
    if (host === null) return undefined;
    const measure = (): void => {
      setViewPx(Math.max(0, host.clientHeight - headPx));
      setRoomPx(Math.max(0, (host.parentElement?.clientHeight ?? 0) - headPx));
      setWidthPx(host.clientWidth);
    };
    const onScroll = (): void => position.put(host.scrollTop);
    position.moved();
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    // The listener of the position runs before the one that may stop following, so that drawing starts from this position.
    host.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => {
      observer.disconnect();
      host.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [host, headPx, position]);
  return { viewPx, roomPx, widthPx };
}

interface KeptRow {
  readonly host: HTMLElement | null;
  readonly position: ScrollPosition;
  readonly follow: boolean;
  readonly rowPx: number;
  readonly ratio: number;
  /** The row at the upper edge, with the part of it above the edge. */
  readonly row: number;
  readonly isAtLowest: boolean;
  /** Scroll position beyond the last row. */
  readonly endPx: number;
}

/** Leaves the row at the upper edge where it is when the rows get another height, and a list at its end there. */
function useKeptRow({ host, position, follow, rowPx, ratio, row, isAtLowest, endPx }: KeptRow): void {
  const drawn = useRef<Pick<KeptRow, 'rowPx' | 'row' | 'isAtLowest'>>(undefined);
  useLayoutEffect(() => {
    const before = drawn.current;
    drawn.current = { rowPx, row, isAtLowest };
    if (host === null || follow || before === undefined || before.rowPx === rowPx) return;
    host.scrollTo({ top: before.isAtLowest ? endPx : (before.row * rowPx) / ratio });
    // The browser reports it in a later frame, and the one before would show the rows of the old position.
    position.put(host.scrollTop);
  });
}

interface Moving {
  readonly host: HTMLElement | null;
  readonly position: ScrollPosition;
  readonly rowPx: number;
  readonly viewPx: number;
  readonly ratio: number;
  /** Scroll position at which the last row is at the lower edge. */
  readonly lowest: number;
}

/** Functions that scroll the element. */
function movesOf(moving: Moving): Pick<UniformRows, 'show' | 'moveBy' | 'toStart'> {
  const { host, position, rowPx, viewPx, ratio, lowest } = moving;

  function moveTo(top: number): void {
    position.moved();
    host?.scrollTo({ top });
  }

  function show(row: number): void {
    if (host === null) return;
    const now = Math.min(position.now(host), lowest) * ratio;
    const start = row * rowPx;
    if (start < now) moveTo(start / ratio);
    else if (start + rowPx > now + viewPx) moveTo((start + rowPx - viewPx) / ratio);
  }

  function moveBy(by: number): void {
    if (host === null) return;
    host.scrollBy({ top: (by * rowPx) / ratio });
    // The browser reports it in a later frame, and the one before would show the rows of the old position.
    position.put(host.scrollTop);
  }

  function toStart(): void {
    if (host === null) return;
    host.scrollTo({ top: 0 });
    // The browser reports it in a later frame, and rows that change before that would be kept at the old position.
    position.put(host.scrollTop);
  }

  return { show, moveBy, toStart };
}

/** The rows to draw, by the scroll position of the host element. */
export function useUniformRows(options: UniformRowsOptions): UniformRows {
  const { host, count, rowPx, headPx, follow } = options;
  const [position] = useState(() => new ScrollPosition());
  const scrollTop = useSyncExternalStore(position.subscribe, position.top);
  const { viewPx, roomPx, widthPx } = useSizes(host, headPx, position);
  const { heightPx, ratio } = rangeOf(count, rowPx, viewPx);
  const lowest = Math.max(0, heightPx - viewPx);
  // The position is known before the browser reports it while the list follows, so no frame is drawn without rows.
  const scrolled = follow ? lowest : Math.min(scrollTop, lowest);
  const top = scrolled * ratio;
  const topRow = Math.floor(top / rowPx);
  const fitting = Math.max(1, Math.floor(viewPx / rowPx));
  // The button to the newest rows takes room itself: where only that hides the last one, nothing is left to go to.
  const roomForEnd = ratio === 1 ? Math.max(0, roomPx - viewPx) : 0;

  useLayoutEffect(() => position.follow(follow), [position, follow]);
  // The browser limits the position to the end; reading the height first would lay the page out twice.
  useLayoutEffect(() => {
    if (!follow) return;
    position.moved();
    host?.scrollTo({ top: headPx + heightPx });
    // The end is further up in a lower viewport. Without the scroll a bar over the list would cover the
    // newest rows.
  }, [host, position, follow, headPx, heightPx, viewPx, count]);

  const isAtLowest = scrolled >= lowest - 1;
  useKeptRow({
    host,
    position,
    follow,
    rowPx,
    ratio,
    row: top / rowPx,
    isAtLowest,
    endPx: headPx + heightPx,
  });

  function edgesAt(px: number): Edges {
    return { topRow: Math.floor((px * ratio) / rowPx), isAtEnd: px >= lowest - roomForEnd - 1 };
  }

  function edgesNow(): Edges {
    return edgesAt(host === null || follow ? scrolled : Math.min(position.now(host), lowest));
  }

  const overscan = follow ? OVERSCAN_FOLLOWING : OVERSCAN;
  const first = Math.max(0, topRow - overscan);
  const end = Math.min(count, topRow + fitting + 2 + overscan);
  // The number of elements is at least the most rows that are ever drawn at once.
  const slots = fitting + 2 + 2 * OVERSCAN;
  const endInSight = Math.min(count, Math.max(topRow + 1, Math.ceil((top + viewPx) / rowPx)));
  const drawnRow = options.drawnFrom?.(topRow, endInSight) ?? topRow;
  const ahead = drawnRow - topRow;
  return {
    items: Array.from({ length: Math.max(0, end - first) }, (_, offset) => ({
      index: first + offset + ahead,
      top: scrolled + (first + offset) * rowPx - top,
      slot: (first + offset + ahead + slots) % slots,
    })).filter(({ index }) => index >= 0 && index < count),
    first,
    end,
    drawnRow,
    fitting,
    isAtEnd: edgesAt(scrolled).isAtEnd,
    widthPx,
    heightPx,
    topRow,
    // A scaled range gives fractions of a pixel.
    firstWhole: Math.ceil(top / rowPx - 0.02),
    middleRow: Math.floor((top + viewPx / 2) / rowPx),
    measure: undefined,
    edgesNow,
    ...movesOf({ host, position, rowPx, viewPx, ratio, lowest }),
  };
}
