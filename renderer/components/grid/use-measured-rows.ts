/** Rows with different heights: each is measured when it is drawn. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { GridRows } from './rows.ts';

export interface MeasuredRowsOptions {
  /** The scrolled element; null before the first rendering. */
  readonly host: HTMLElement | null;
  readonly count: number;
  /** Height of a row that was not measured yet. */
  readonly rowPx: number;
  /** Height of the sticky head. */
  readonly headPx?: number;
  readonly gapPx?: number;
  /** Key of a row, stable while it is the same row. */
  readonly keyOf: (index: number) => string | number;
  /** Row that is drawn even outside the viewport, because the focus may be inside it. */
  readonly kept?: number | undefined;
  /**
   * Number of rows that were added before the first one since the start, minus those removed; the scroll
   * position follows it.
   */
  readonly first?: number;
  /** True: the end is shown, whatever the scroll position was. */
  readonly follow?: boolean;
  /** True: rows are as high as their text; otherwise all have the height `rowPx`. */
  readonly isMeasured?: boolean;
  /** Further input of the heights, such as the font size. */
  readonly heightsOf?: string;
}

/** The rows to draw, by the scroll position of the host element. */
export function useMeasuredRows(options: MeasuredRowsOptions): GridRows {
  const { host, count, rowPx, headPx = 0, gapPx = 0, keyOf, kept } = options;
  const { first = 0, follow = false, isMeasured = true, heightsOf = '' } = options;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => host,
    estimateSize: () => rowPx,
    getItemKey: keyOf,
    gap: gapPx,
    overscan: 8,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return kept === undefined || kept >= count || seen.includes(kept)
        ? seen
        : [...seen, kept].toSorted((a, b) => a - b);
    },
  });
  const heightPx = virtual.getTotalSize();
  const lastFirst = useRef(first);

  useLayoutEffect(() => virtual.measure(), [virtual, rowPx, isMeasured, heightsOf]);
  useLayoutEffect(() => {
    if (host === null) return;
    // Rows that are added or removed at the old end must not move the visible text.
    if (lastFirst.current !== first && !follow) host.scrollTop += (lastFirst.current - first) * rowPx;
    lastFirst.current = first;
    if (follow) host.scrollTop = host.scrollHeight;
  }, [first, follow, host, heightPx, count, rowPx]);

  const viewPx = (virtual.scrollRect?.height ?? 0) - headPx;
  return {
    items: virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - headPx, slot: index })),
    heightPx,
    fitting: Math.max(1, Math.floor(viewPx / rowPx)),
    isAtEnd: (virtual.scrollOffset ?? 0) + viewPx >= heightPx - 1,
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    measure: isMeasured ? virtual.measureElement : undefined,
  };
}
