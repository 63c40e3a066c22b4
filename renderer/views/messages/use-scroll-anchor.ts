/** Keeps what is being read where it is: while rows come and go, when the list is drawn again, and when the keyboard moves. */
import { useLayoutEffect, useRef } from 'react';
import { isByTime } from '../../format/groups.ts';
import type { Messages } from '../../state/messages-state.ts';
import { useConsole } from '../../state/context.ts';
import { turned } from '../../state/live-order.ts';
import { useMembers } from '../../state/store.ts';
import type { UniformRows } from '../../components/grid/use-uniform-rows.ts';

export interface ScrollAnchorOptions {
  readonly grid: HTMLElement | null;
  readonly rows: UniformRows;
  /** Row of the keyboard. */
  readonly current: string | undefined;
  /** Counts the jumps to a row. */
  readonly goneTo: number;
  /** The newest row stands on the first line. */
  readonly isTurned: boolean;
}

interface Left {
  /** Row at the upper edge. */
  readonly messageId: string;
  readonly current: string | undefined;
  readonly wasInSight: boolean;
}

/** Where a list was left: another screen was opened, or its panel went to the other side. */
const leftAt = new WeakMap<Messages, Left>();

/** Scrolls, and remembers; draws nothing. */
export function useScrollAnchor({ grid, rows, current, goneTo, isTurned }: ScrollAnchorOptions): void {
  const { messages } = useConsole();
  const lineOf = (id: string): number | undefined => {
    const index = messages.rows.indexOf(id);
    return index === undefined ? undefined : turned(index, messages.rows.total, isTurned);
  };
  const { groupBy, sort, follow } = useMembers(messages.store, 'groupBy', 'sort', 'follow');
  const { topRow, fitting, widthPx, moveBy, show } = rows;
  const anchor = useRef<{ readonly messageId: string; readonly line: number }>(undefined);
  const left = useRef<Left>(undefined);
  const isMeasured = widthPx > 0;

  // What opens above the list makes it lower: the row of the keyboard stays in sight.
  const fittedBefore = useRef(fitting);
  useLayoutEffect(() => {
    const isLower = fitting < fittedBefore.current;
    fittedBefore.current = fitting;
    const line = current === undefined ? undefined : lineOf(current);
    const wasSeen = left.current?.wasInSight === true && left.current.current === current;
    if (isLower && wasSeen && line !== undefined) show(line);
  });
  // Rows that leave at the old end must not move what is being read: the first row in sight keeps its place.
  useLayoutEffect(() => {
    const held = anchor.current;
    const now = held === undefined ? undefined : lineOf(held.messageId);
    if (held !== undefined && now !== undefined && now !== held.line && topRow === held.line && !follow) {
      moveBy(now - held.line);
      anchor.current = { messageId: held.messageId, line: now };
      return;
    }
    const messageId = messages.rows.idAt(turned(topRow, messages.rows.total, isTurned));
    anchor.current = messageId === undefined ? undefined : { messageId, line: topRow };
    const line = current === undefined ? undefined : lineOf(current);
    left.current =
      messageId === undefined || follow
        ? undefined
        : {
            messageId,
            current,
            wasInSight: line !== undefined && line >= topRow && line <= topRow + fitting,
          };
  });
  useLayoutEffect(
    () => () => {
      if (left.current === undefined) leftAt.delete(messages);
      else leftAt.set(messages, left.current);
    },
    [messages],
  );
  // Groups and a sorted list are read from the first line on.
  useLayoutEffect(() => {
    if (!isByTime(groupBy) || sort !== undefined) grid?.scrollTo({ top: 0 });
  }, [grid, groupBy, sort]);
  // The row of the keyboard comes into view when it changes, not whenever rows arrive.
  const scroll = useRef({ show, moveBy, topRow, lineOf });
  useLayoutEffect(() => {
    scroll.current = { show, moveBy, topRow, lineOf };
  });
  // Following the newest row on the first line is standing at the top.
  useLayoutEffect(() => {
    if (isTurned && follow) grid?.scrollTo({ top: 0 });
  }, [grid, isTurned, follow]);
  useLayoutEffect(() => {
    if (!isMeasured || messages.store.getState().follow) return;
    const before = leftAt.get(messages);
    leftAt.delete(messages);
    const line = current === undefined ? undefined : scroll.current.lineOf(current);
    const top = before === undefined ? undefined : scroll.current.lineOf(before.messageId);
    if (before !== undefined && before.current === current && top !== undefined) {
      scroll.current.moveBy(top - scroll.current.topRow);
      if (!before.wasInSight) return;
    }
    if (line !== undefined) scroll.current.show(line);
  }, [current, goneTo, messages, isMeasured]);
}
