/** The lines of the list that are drawn: loaded ones, also while the rows of the scroll position are on their way. */
import { useLayoutEffect, useState } from 'react';
import {
  useUniformRows,
  type UniformRows,
  type UniformRowsOptions,
} from '../../components/grid/use-uniform-rows.ts';
import { useConsole } from '../../state/context.ts';
import { DrawnRow, drawnFrom } from '../../state/drawn-lines.ts';
import { turned } from '../../state/live-order.ts';
import type { RowRange } from '../../state/read-ahead.ts';

export interface DrawnLinesOptions extends Omit<UniformRowsOptions, 'drawnFrom'> {
  /** True if the newest row is on the first line. */
  readonly isTurned: boolean;
  /** True if the newest rows arrive by themselves, so that nobody scrolls. */
  readonly isFollowing: boolean;
}

export interface DrawnLines extends UniformRows {
  /** Rows of the scroll position, oldest first; both ranges may reach beyond the list. */
  readonly wanted: RowRange;
  /** Rows that are drawn, oldest first. */
  readonly drawn: RowRange;
  /** True while the drawn rows are not those of the scroll position. */
  readonly isBehind: boolean;
}

/** The lines by the scroll position. Rows that are not loaded there do not leave lines empty: loaded ones stay until they come. */
export function useDrawnLines({ isTurned, isFollowing, ...options }: DrawnLinesOptions): DrawnLines {
  const { rows } = useConsole().messages;
  const { count } = options;
  const [drawn] = useState(() => new DrawnRow());

  /** Lines of a range of rows, and rows of a range of lines. */
  const inOrder = ({ from, to }: RowRange): RowRange =>
    isTurned ? { from: count - to, to: count - from } : { from, to };

  function nearest(from: number, to: number): number {
    const { newest } = rows;
    const before = drawn.id === undefined ? undefined : rows.indexOf(drawn.id);
    return drawnFrom(
      { from, to },
      {
        has: (line) => rows.idAt(turned(line, count, isTurned)) !== undefined,
        newest: newest && inOrder(newest),
        inPlace: drawn.inPlace,
        before: before === undefined ? undefined : turned(before, count, isTurned),
      },
    );
  }

  const lines = useUniformRows({ ...options, drawnFrom: isFollowing ? undefined : nearest });
  const { first, end, drawnRow, topRow } = lines;
  const by = drawnRow - topRow;
  useLayoutEffect(() => drawn.note(rows.idAt(turned(drawnRow, count, isTurned)), drawnRow, by !== 0));
  return {
    ...lines,
    wanted: inOrder({ from: first, to: end }),
    drawn: inOrder({ from: first + by, to: end + by }),
    isBehind: by !== 0,
  };
}
