/** Keys inside the list: moving, opening, selecting, groups. The rest are commands. */
import { isByTime } from '../../format/groups.ts';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { stepOf, treeMove } from '../../components/grid/keys.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { useConsole } from '../../state/context.ts';
import { isNewestFirst, turned } from '../../state/live-order.ts';

/** A line that is being read to be stood on. */
interface Going {
  readonly index: number;
  /** What was pressed for it meanwhile. */
  readonly then: (() => void)[];
}

/** Keys that act on the line of the keyboard. */
const ON_A_LINE = new Set(['Enter', ' ', 'x']);

interface Moves {
  /** Goes to a line. @param extend selects from the line before to it */
  readonly move: (to: number, extend: boolean) => void;
  /** Goes to a line that must be read first. @param meanwhile the line that further keys count from */
  readonly goLater: (meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string) => void;
  /** The line that is being read to be stood on. */
  readonly goingTo: () => number | undefined;
  /** Does `press` on that line, once the keyboard is on it. */
  readonly whenThere: (press: () => void) => void;
  /** Goes nowhere any more. */
  readonly stay: () => void;
  /** The next range begins where the keyboard is. */
  readonly forgetRange: () => void;
}

/** How the keyboard gets to a line, also to one that is not loaded. */
function useMoves(): Moves {
  const { messages, navigation } = useConsole();
  /** Where a range that is being selected by keys began. */
  const anchor = useRef<string>(undefined);
  const going = useRef<Going>(undefined);

  function move(to: number, extend: boolean): void {
    const { total, current: from } = messages.store.getState();
    const index = Math.max(0, Math.min(total - 1, to));
    const id = messages.rows.idAt(index);
    messages.setFollow(false);
    going.current = undefined;
    if (id !== undefined) {
      arrive(index, id, extend ? from : undefined);
      return;
    }
    goLater(index, Promise.resolve(index), extend ? from : undefined);
  }

  function goLater(meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string): void {
    const mine: Going = { index: meanwhile, then: [] };
    const { current: from } = messages.store.getState();
    going.current = mine;
    const read = wanted.then(
      async (index) => index !== undefined && { index, id: await messages.idAt(index) },
    );
    read.then(
      (found) => {
        if (going.current !== mine) return;
        going.current = undefined;
        // A click, or a command that went elsewhere, came after the key.
        if (found === false || found.id === undefined || messages.store.getState().current !== from) return;
        arrive(found.index, found.id, extendFrom);
        for (const press of mine.then) press();
      },
      // Without the host's answer the row stays as it is; the connection bar says why.
      () => {
        if (going.current === mine) going.current = undefined;
      },
    );
  }

  function arrive(index: number, id: string, from: string | undefined): void {
    messages.setCurrent(id);
    if (from === undefined) anchor.current = undefined;
    else {
      if (anchor.current === undefined || messages.store.getState().selected.size === 0)
        anchor.current = from;
      messages.select({ kind: 'range', from: anchor.current, to: id });
    }
    if (navigation.param('m') !== undefined && messages.rows.rowAt(index) !== undefined) {
      navigation.change({ m: id, d: undefined }, { replace: true });
    }
  }

  return {
    move,
    goLater,
    goingTo: () => going.current?.index,
    whenThere: (press) => going.current?.then.push(press),
    stay: () => {
      going.current = undefined;
    },
    forgetRange: () => {
      anchor.current = undefined;
    },
  };
}

/**
 * The key handler of the grid.
 * @param pageRows rows that Page Up and Page Down move by
 */
export function useListKeys(pageRows: number): (event: KeyboardEvent) => void {
  const console = useConsole();
  const { messages, navigation } = console;
  const { move, goLater, goingTo, whenThere, stay, forgetRange } = useMoves();
  /** Where the row of the keyboard was last seen: it may leave the list, and the keys go on from there. */
  const stood = useRef<{ readonly id: string; readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const { current } = messages.store.getState();
    const index = current === undefined ? undefined : messages.rows.indexOf(current);
    if (current !== undefined && index !== undefined) stood.current = { id: current, index };
  });

  /** Left closes the group, or goes to the one a message is in; Right opens it, then goes to its first message. */
  function moveInGroups(key: string, index: number): void {
    const group = messages.rows.groupAt(index);
    const to = treeMove(key, group?.isOpen);
    if (group !== undefined && (to === 'open' || to === 'close'))
      void expandGroups(console, group.groupId, to === 'open');
    else if (to === 'child') move(index + 1, false);
    else if (to === 'parent') {
      const above = messages.rows.groupOver(index);
      messages.setFollow(false);
      if (above !== undefined) move(above, false);
      else goLater(index, messages.groupOver(index));
    }
  }

  /** What is done with the line of the keyboard. @returns false: the list does not use the key */
  function act(key: string): boolean {
    const { current } = messages.store.getState();
    const index = current === undefined ? undefined : messages.rows.indexOf(current);
    const group = index === undefined ? undefined : messages.rows.groupAt(index);
    if (current === undefined || !ON_A_LINE.has(key)) return false;
    if (group !== undefined) {
      void expandGroups(console, group.groupId, !group.isOpen);
      forgetRange();
    } else if (key !== 'Enter') messages.select({ kind: 'toggle', messageId: current });
    else if (navigation.param('m') === current) focusAnchor(ANCHORS.detail);
    else navigation.change({ m: current, d: undefined });
    return true;
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { current, total, selected, allSelected, groupBy } = messages.store.getState();
    const held = current === undefined ? undefined : messages.rows.indexOf(current);
    const index = goingTo() ?? held;
    // Where a row left the list, its line now has the row that was after it.
    const left = index === undefined && stood.current?.id === current ? stood.current?.index : undefined;
    const isTurned = isNewestFirst(console.ui.getState(), messages.store.getState());
    const line = (at: number): number => turned(at, total, isTurned);
    const entry = line(left ?? (groupBy === '' ? total - 1 : 0));
    const at = event.key === 'ArrowDown' ? index : (index ?? left);
    const steps = { at: at === undefined ? undefined : line(at), count: total, page: pageRows, entry };
    const toLine = stepOf(event.key, steps);
    const to = toLine === undefined ? undefined : line(toLine);
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (to !== undefined) {
      move(to, event.shiftKey);
      if (event.key === (isTurned ? 'Home' : 'End') && isByTime(groupBy) && !event.shiftKey)
        messages.setFollow(true);
    } else if (groupBy !== '' && index !== undefined && isSideways) moveInGroups(event.key, index);
    else if (groupBy !== '' && event.key === '*') void expandGroups(console, undefined, true);
    else if (goingTo() !== undefined && ON_A_LINE.has(event.key)) {
      // The row is on its way: what is pressed is meant for it, not for the one before.
      const { key } = event;
      whenThere(() => void act(key));
    } else if (event.key === 'Escape') {
      stay();
      if (selected.size > 0 || allSelected) messages.select({ kind: 'none' });
      else navigation.change({ m: undefined, d: undefined, t: undefined });
    } else if (!act(event.key)) return;
    event.preventDefault();
  };
}
