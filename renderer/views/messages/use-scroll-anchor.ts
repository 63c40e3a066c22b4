/**
 * Keeps the visible rows in place: while rows are added and removed, when the list is drawn again, and when
 * the keyboard moves.
 */
import { useLayoutEffect, useRef } from 'react';
import { isByTime } from '../../format/groups.ts';
import type { Messages } from '../../state/messages-state.ts';
import { useConsole } from '../../state/context.ts';
import { isFollowed, staysAtStart, turned } from '../../state/live-order.ts';
import { useMembers } from '../../state/store.ts';
import type { UniformRows } from '../../components/grid/use-uniform-rows.ts';

export interface ScrollAnchorOptions {
  readonly grid: HTMLElement | null;
  readonly rows: UniformRows;
  /** Id of the keyboard row. */
  readonly current: string | undefined;
  /** Number of jumps to a row. */
  readonly goneTo: number;
  /** True if the newest row is on the first line. */
  readonly isTurned: boolean;
}

/** Rows that a bar takes at most; the panel of a message takes more, and need not show the end. */
const BAR_ROWS = 4;

/** A visible row and its line. */
interface Place {
  readonly messageId: string;
  readonly line: number;
}

/** The rows that keep their places. Both are the keyboard row, if it is visible. */
interface Anchor {
  /** The row that counts while rows are added and removed: the one in the middle, because the oldest ones may leave. */
  readonly row: Place | undefined;
  /** The row that counts if another filter replaces the rows: the first whole one, because others come between those below it. */
  readonly eye: Place | undefined;
  /** The line at the upper edge. */
  readonly topRow: number;
  /** The filter of the list. */
  readonly filter: string;
}

/** The first of these lines whose row is loaded. */
function placeOn(lines: readonly number[], idOn: (line: number) => string | undefined): Place | undefined {
  for (const line of lines) {
    const messageId = idOn(line);
    if (messageId !== undefined) return { messageId, line };
  }
  return undefined;
}

interface Left {
  /** Id of the row at the upper edge. */
  readonly messageId: string;
  readonly current: string | undefined;
  readonly wasInSight: boolean;
}

/** Position at which a list was left, because another screen was opened or its panel moved. */
const leftAt = new WeakMap<Messages, Left>();

/** Scrolls and remembers the position; it draws nothing. */
export function useScrollAnchor({ grid, rows, current, goneTo, isTurned }: ScrollAnchorOptions): void {
  const { messages } = useConsole();
  const lineOf = (id: string): number | undefined => {
    const index = messages.rows.indexOf(id);
    return index === undefined ? undefined : turned(index, messages.rows.total, isTurned);
  };
  const { sort, follow, filter } = useMembers(messages.store, 'sort', 'follow', 'filter');
  const { topRow, firstWhole, middleRow, fitting, widthPx, moveBy, show } = rows;
  const anchor = useRef<Anchor>(undefined);
  const left = useRef<Left>(undefined);
  const isMeasured = widthPx > 0;

  // A bar that opens beside the list makes it lower, so the keyboard row is scrolled into view, and a list that ended with its newest row
  // still does.
  const fittedBefore = useRef(fitting);
  const wasAtEnd = useRef(rows.isAtEnd);
  useLayoutEffect(() => {
    const isLower = fitting < fittedBefore.current;
    const isForBar = fittedBefore.current - fitting <= BAR_ROWS;
    fittedBefore.current = fitting;
    if (isLower && isForBar && wasAtEnd.current && !isTurned) show(messages.rows.total - 1);
    else wasAtEnd.current = rows.isAtEnd;
    const line = current === undefined ? undefined : lineOf(current);
    const wasSeen = left.current?.wasInSight === true && left.current.current === current;
    if (isLower && wasSeen && line !== undefined) show(line);
  });
  // Rows that are added or removed before the visible ones must not move them.
  useLayoutEffect(() => {
    const held = anchor.current;
    const kept = held?.filter === filter ? held.row : held?.eye;
    const now = kept === undefined ? undefined : lineOf(kept.messageId);
    const isAtStart = kept?.messageId !== current && staysAtStart({ sort }, topRow);
    const isKept = topRow === held?.topRow && !follow && !isAtStart;
    if (kept !== undefined && now !== undefined && now !== kept.line && isKept) {
      moveBy(now - kept.line);
      const place = { ...kept, line: now };
      anchor.current = { row: place, eye: place, topRow: topRow + now - kept.line, filter };
      return;
    }
    const { total } = messages.rows;
    const idOn = (line: number): string | undefined => messages.rows.idAt(turned(line, total, isTurned));
    const messageId = idOn(topRow);
    const line = current === undefined ? undefined : lineOf(current);
    const isSeen = line !== undefined && line >= topRow && line <= topRow + fitting;
    const chosen = current !== undefined && isSeen ? { messageId: current, line } : undefined;
    const row = chosen ?? placeOn([Math.min(total - 1, middleRow), topRow], idOn);
    const eye = chosen ?? placeOn([firstWhole, topRow], idOn);
    anchor.current = { row, eye, topRow, filter };
    messages.setEye(follow ? undefined : eye?.messageId);
    left.current =
      messageId === undefined || follow
        ? undefined
        : {
            messageId,
            current,
            wasInSight: isSeen,
          };
  });
  useLayoutEffect(
    () => () => {
      if (left.current === undefined) leftAt.delete(messages);
      else leftAt.set(messages, left.current);
    },
    [messages],
  );
  const scroll = useRef({ show, moveBy, topRow, lineOf });
  useLayoutEffect(() => {
    scroll.current = { show, moveBy, topRow, lineOf };
  });
  useStart({ grid, rows, isTurned });
  useLinkedRow({ rows, current, isTurned, lineOf });
  // The keyboard row scrolls into view when it changes, not when rows arrive.
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

/** Scrolls to the first line where that is what a person wants to see. */
function useStart({
  grid,
  rows: { toStart },
  isTurned,
}: Pick<ScrollAnchorOptions, 'grid' | 'rows' | 'isTurned'>): void {
  const { messages } = useConsole();
  const { groupBy, sort, follow } = useMembers(messages.store, 'groupBy', 'sort', 'follow');
  const latest = useRef(toStart);
  useLayoutEffect(() => {
    latest.current = toStart;
  });
  // Groups and a sorted list start at the first line.
  useLayoutEffect(() => {
    if (!isByTime(groupBy) || sort !== undefined) latest.current();
  }, [grid, groupBy, sort]);
  // A list that follows a newest row on the first line stays at the top.
  useLayoutEffect(() => {
    if (isTurned && follow) latest.current();
  }, [grid, isTurned, follow]);
}

interface LinkedRow extends Pick<ScrollAnchorOptions, 'rows' | 'current' | 'isTurned'> {
  readonly lineOf: (id: string) => number | undefined;
}

/** A message that is opened by a link stops a list that would not show it while it follows the newest ones. */
function useLinkedRow({ rows: { fitting, widthPx, show }, current, isTurned, lineOf }: LinkedRow): void {
  const { messages } = useConsole();
  const { follow } = useMembers(messages.store, 'follow');
  const lookedFor = useRef(current);
  useLayoutEffect(() => {
    const line = current === undefined ? undefined : lineOf(current);
    if (follow && (widthPx === 0 || line === undefined || lookedFor.current === current)) return;
    lookedFor.current = current;
    if (!follow || line === undefined || isFollowed(line, messages.rows.total, fitting, isTurned)) return;
    messages.setFollow(false);
    show(line);
  });
}
