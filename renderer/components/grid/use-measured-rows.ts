/** Rows that differ in height: each is measured once it is drawn. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { GridRows } from './rows.ts';

export interface MeasuredRowsOptions {
  /** The scrolled element; null before the first drawing. */
  readonly host: HTMLElement | null;
  readonly count: number;
  /** Height of a row that was not measured yet. */
  readonly rowPx: number;
  /** Height of the sticky head. */
  readonly headPx?: number;
  readonly gapPx?: number;
  /** Names a row as long as it stays the same one. */
  readonly keyOf: (index: number) => string | number;
  /** A row that is drawn wherever the viewport is: the focus may be inside it. */
  readonly kept?: number | undefined;
  /** Rows that came before the first one since the start, less those that left; they move what is read. */
  readonly first?: number;
  /** The end is shown, whatever the scroll position was. */
  readonly follow?: boolean;
  /** Rows are as high as their text; otherwise all have the height `rowPx`. */
  readonly isMeasured?: boolean;
  /** What the heights depend on beside the rows, such as the size of the letters. */
  readonly heightsOf?: string;
}

/** The rows to draw, from the scroll position of the host element. */
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
    // Rows that come or leave at the old end must not move what is being read.
    if (lastFirst.current !== first && !follow) host.scrollTop += (lastFirst.current - first) * rowPx;
    lastFirst.current = first;
    if (follow) host.scrollTop = host.scrollHeight;
  }, [first, follow, host, heightPx, count, rowPx]);

  const viewPx = (virtual.scrollRect?.height ?? 0) - headPx;
  return {
    items: virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - headPx, slot: index })),
    heightPx,
    fitting: Math.max(1, Math.floor(viewPx / rowPx)),
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    measure: isMeasured ? virtual.measureElement : undefined,
  };
}
